// Codecs of the lines of an export, one for each kind of line.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { keyFrom, recordFrom, Scope } from '../api-keys/api-key.js'
import { Count, Flag, oneOf, Text } from '../codecs/guarded.js'
import type { Instant } from '../codecs/instant.js'
import { struct } from '../codecs/struct.js'
import { TraceParent } from '../events/domain-event.js'
import { POSITION_MEMBERS, type RelayPosition } from '../events/relay-record.js'
import type { JsonValue } from '../json/stringify-json.js'
import { OPTIONAL_MEMBERS, PetId, REQUIRED_MEMBERS } from '../pets/pet.js'
import type { ArchiveRecord, Counts, PetArchived, StoreState } from './archive-record.js'
import { InstantText, LastId, Sha256Text } from './wire-codecs.js'

/** The version of the format that is written. Version 1, in which each pet had the state of its event, is still read. */
export const EXPORT_VERSION = 2
export const READ_VERSIONS: readonly number[] = [1, EXPORT_VERSION]

/** The first line. */
export interface Header {
  readonly _tag: 'Header'
  readonly version: number
  readonly exportedAt: Instant
  /** The approximate number of records that follow. */
  readonly records: number
}

/** The last line, with the number of lines of each kind. An export without it is incomplete. */
export interface End extends Counts {
  readonly _tag: 'End'
}

/** The position of the relay: which events are still to be sent. */
export interface RelayLine extends RelayPosition {
  readonly _tag: 'Relay'
}

/** The state of the event of a pet, in version 1. */
export interface FormerEventState {
  readonly isWaiting: boolean
  readonly parkedBecause: O.Option<string>
}

/** Version 1 says here whether a relay has run. */
interface StoreLine extends StoreState {
  readonly wasRelayed?: boolean
  readonly hadSent?: boolean
}

export interface PetLine extends PetArchived {
  readonly former?: FormerEventState
}

export type ArchiveLine =
  | Header
  | StoreLine
  | RelayLine
  | PetLine
  | Exclude<ArchiveRecord, StoreState | PetArchived>
  | End

type Line<Tag extends ArchiveLine['_tag']> = Extract<ArchiveLine, { readonly _tag: Tag }>
type Members = { readonly [name: string]: JsonValue | undefined }

interface LineCodec<A> {
  readonly kind: string
  readonly decode: (json: unknown) => E.Either<t.Errors, A>
  readonly encode: (line: A) => Members
}

/** The codec of one kind of line, over a codec of its members. */
const lineCodec = <W, B extends Members, A>(
  wire: t.Type<W, B>,
  from: (members: W) => A,
  to: (line: A) => W,
): LineCodec<A> => ({
  kind: wire.name,
  decode: (json) => E.map(from)(wire.decode(json)),
  encode: (line) => wire.encode(to(line)),
})

const FORMAT = 'animal-store export' as const

const WireHeader = struct(
  'header',
  { format: oneOf('format', [FORMAT]), version: Count, exportedAt: InstantText, records: Count },
  {},
)

const WireApiKey = struct(
  'apiKey',
  { id: Text, scopes: t.readonlyArray(Scope), hash: Sha256Text, createdAt: InstantText, lineage: Text },
  { name: Text, expiresAt: InstantText, revokedAt: InstantText, lastUsedAt: InstantText, successor: Text },
)

const WirePet = struct(
  'pet',
  {
    pet: struct('Pet', { id: PetId, ...REQUIRED_MEMBERS }, OPTIONAL_MEMBERS),
    event: struct('event', { id: Text, time: InstantText }, { traceparent: TraceParent }),
  },
  {
    // of version 1
    waiting: struct('waiting', {}, {}),
    parked: struct('parked', { reason: Text }, {}),
  },
)

const WireIdempotencyKey = struct(
  'idempotencyKey',
  { lineage: Text, key: Text, petId: PetId, expiresAt: InstantText },
  { eventId: Text },
)

const formerOf = ({ waiting, parked }: t.TypeOf<typeof WirePet>): Pick<PetLine, 'former'> => {
  if (waiting === undefined && parked === undefined) return {}
  // if a line has both, the event is parked
  return { former: { isWaiting: parked === undefined, parkedBecause: O.fromNullable(parked?.reason) } }
}

/** A new kind of line does not compile until it has a codec here. */
export const LINE_CODECS: { readonly [Tag in ArchiveLine['_tag']]: LineCodec<Line<Tag>> } = {
  Header: lineCodec(
    WireHeader,
    ({ version, exportedAt, records }) => ({ _tag: 'Header', version, exportedAt, records }),
    ({ _tag, ...members }) => ({ format: FORMAT, ...members }),
  ),
  StoreState: lineCodec(
    struct('store', { lastId: LastId }, { isRelayed: Flag, hasSent: Flag }),
    ({ lastId, isRelayed: wasRelayed, hasSent: hadSent }) => ({
      _tag: 'StoreState',
      lastId,
      ...(wasRelayed !== undefined && { wasRelayed }),
      ...(hadSent !== undefined && { hadSent }),
    }),
    ({ lastId }) => ({ lastId }),
  ),
  Relay: lineCodec(
    struct('relay', POSITION_MEMBERS, {}),
    (members) => ({ _tag: 'Relay', ...members }),
    ({ _tag, ...members }) => members,
  ),
  ApiKey: lineCodec(
    WireApiKey,
    (record) => ({ _tag: 'ApiKey', key: keyFrom(record) }),
    ({ key }) => recordFrom(key),
  ),
  Pet: lineCodec(
    WirePet,
    (line) => {
      const { id: eventId, ...event } = line.event
      return { _tag: 'Pet', event: { _tag: 'PetCreated', eventId, ...event, pet: line.pet }, ...formerOf(line) }
    },
    ({ event: { _tag, eventId, pet, ...event } }) => ({ pet, event: { id: eventId, ...event } }),
  ),
  IdempotencyKey: lineCodec(
    WireIdempotencyKey,
    ({ petId, eventId, ...key }) => ({ _tag: 'IdempotencyKey', petId, ...(eventId !== undefined && { eventId }), key }),
    ({ petId, eventId, key }) => ({ ...key, petId, ...(eventId !== undefined && { eventId }) }),
  ),
  End: lineCodec(
    struct('end', { apiKeys: Count, pets: Count, idempotencyKeys: Count }, {}),
    (members) => ({ _tag: 'End', ...members }),
    ({ _tag, ...members }) => members,
  ),
}

// Codecs of the lines of an export, one for each kind of line.
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { keyFrom, recordFrom, Scope } from '../api-keys/api-key.js'
import { Count, Flag, oneOf, Text } from '../codecs/guarded.js'
import type { Instant } from '../codecs/instant.js'
import { Int64 } from '../codecs/int64.js'
import { struct } from '../codecs/struct.js'
import { TraceParent } from '../events/trace-parent.js'
import type { JsonValue } from '../json/stringify-json.js'
import { PetId, PetName, PetStatus } from '../pets/pet.js'
import type { ArchiveRecord, Counts, EventState } from './archive-record.js'
import { InstantText, LastId, Sha256Text } from './wire-codecs.js'

/** The version of the format: the only one that is written or read. */
export const EXPORT_VERSION = 1

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

export type ArchiveLine = Header | ArchiveRecord | End

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
    pet: struct('Pet', { id: PetId, name: PetName, categoryId: Int64 }, { status: PetStatus }),
    event: struct('event', { id: Text, time: InstantText }, { traceparent: TraceParent }),
  },
  {
    waiting: struct('waiting', { failures: Count, dueAt: InstantText }, {}),
    parked: struct('parked', { reason: Text }, {}),
  },
)

const WireIdempotencyKey = struct(
  'idempotencyKey',
  { lineage: Text, key: Text, petId: PetId, expiresAt: InstantText },
  {},
)

type WireStates = Pick<t.TypeOf<typeof WirePet>, 'waiting' | 'parked'>

const statesFrom = (state: EventState): WireStates => {
  switch (state._tag) {
    case 'Settled':
      return {}
    case 'Waiting':
      return { waiting: { failures: state.failures, dueAt: state.dueAt } }
    case 'Parked':
      return { parked: { reason: state.reason } }
  }
}

/** If a line has both, the event is parked. */
const stateFrom = ({ waiting, parked }: WireStates): EventState => {
  if (parked !== undefined) return { _tag: 'Parked', ...parked }
  return waiting === undefined ? { _tag: 'Settled' } : { _tag: 'Waiting', ...waiting }
}

/** A new kind of line does not compile until it has a codec here. */
export const LINE_CODECS: { readonly [Tag in ArchiveLine['_tag']]: LineCodec<Line<Tag>> } = {
  Header: lineCodec(
    WireHeader,
    ({ version, exportedAt, records }) => ({ _tag: 'Header', version, exportedAt, records }),
    ({ _tag, ...members }) => ({ format: FORMAT, ...members }),
  ),
  StoreState: lineCodec(
    struct('store', { lastId: LastId, isRelayed: Flag, hasSent: Flag }, {}),
    (members) => ({ _tag: 'StoreState', ...members }),
    ({ _tag, ...members }) => members,
  ),
  ApiKey: lineCodec(
    WireApiKey,
    (record) => ({ _tag: 'ApiKey', key: keyFrom(record) }),
    ({ key }) => recordFrom(key),
  ),
  Pet: lineCodec(
    WirePet,
    ({ pet, event: { id: eventId, ...event }, ...states }) => ({
      _tag: 'Pet',
      event: { _tag: 'PetCreated', eventId, ...event, pet },
      eventState: stateFrom(states),
    }),
    ({ event: { _tag, eventId, pet, ...event }, eventState }) => ({
      pet,
      event: { id: eventId, ...event },
      ...statesFrom(eventState),
    }),
  ),
  IdempotencyKey: lineCodec(
    WireIdempotencyKey,
    ({ petId, ...key }) => ({ _tag: 'IdempotencyKey', petId, key }),
    ({ petId, key }) => ({ ...key, petId }),
  ),
  End: lineCodec(
    struct('end', { apiKeys: Count, pets: Count, idempotencyKeys: Count }, {}),
    (members) => ({ _tag: 'End', ...members }),
    ({ _tag, ...members }) => members,
  ),
}

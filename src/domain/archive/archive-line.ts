// The lines of an export (JSON Lines), with one codec for each kind.
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { apiKeyCodec } from '../api-keys/api-key.js'
import { Count, Flag, InstantFromString, integerBetween, oneOf, Text } from '../codecs/scalar.js'
import { faultsText, struct } from '../codecs/struct.js'
import { type DomainEvent, TraceParent } from '../events/domain-event.js'
import { Numbers } from '../events/relay-record.js'
import { parseJson } from '../json/parse-json.js'
import { type JsonValue, stringifyJson } from '../json/stringify-json.js'
import type { PetRecord } from '../pets/decide-add.js'
import { MAX_PET_ID, OPTIONAL_MEMBERS, PetId, REQUIRED_MEMBERS } from '../pets/pet.js'

/** The version of the format. Others are refused. */
export const EXPORT_VERSION = 2

type Members = { readonly [name: string]: JsonValue | undefined }

/** One kind of line; `from` and `to` convert the members of its JSON to those of the line and back. */
const kindOf = <W, B extends Members, A>(wire: t.Type<W, B, unknown>, from: (members: W) => A, to: (line: A) => W) => ({
  kind: wire.name,
  decode: (json: unknown): E.Either<t.Errors, A> => E.map(from)(wire.decode(json)),
  encode: (line: A): Members => wire.encode(to(line)),
})

const plainKind = <W, B extends Members>(wire: t.Type<W, B, unknown>) => kindOf<W, B, W>(wire, identity, identity)

const FORMAT = 'animal-store export' as const
const LOG = 'pets' as const

/** The last id drawn; 0 if none was. */
const LastId = integerBetween('LastId', 0n, MAX_PET_ID)

const HeldKey = struct('idempotencyKey', { lineage: Text, key: Text, expiresAt: InstantFromString })

const KINDS = {
  /** The first line. `log`: the number of an event is the id of its pet. */
  Header: kindOf(
    struct('header', {
      format: oneOf('format', [FORMAT]),
      version: Count,
      exportedAt: InstantFromString,
      log: oneOf('log', [LOG]),
      lastId: LastId,
    }),
    ({ format, log, ...header }) => header,
    (header) => ({ format: FORMAT, log: LOG, ...header }),
  ),
  /** Everything up to the position was sent or parked; `retry` is to be sent again. */
  Relay: plainKind(struct('relay', { position: Count, retry: Numbers, hasSent: Flag })),
  ApiKey: kindOf(
    apiKeyCodec('apiKey', InstantFromString),
    (key) => ({ key }),
    ({ key }) => key,
  ),
  /** A pet with its event, and its idempotency key unless that has expired. */
  PetCreated: kindOf(
    struct(
      'pet',
      {
        pet: struct('Pet', { id: PetId, ...REQUIRED_MEMBERS }, OPTIONAL_MEMBERS),
        event: struct('event', { id: Text, time: InstantFromString }, { traceparent: TraceParent }),
      },
      { idempotencyKey: HeldKey },
    ),
    ({ pet, event: { id: eventId, ...event }, idempotencyKey }): PetRecord => ({
      event: { _tag: 'PetCreated', eventId, ...event, pet },
      idempotencyKey: O.fromNullable(idempotencyKey),
    }),
    ({ event: { _tag, eventId, pet, ...event }, idempotencyKey }: PetRecord) => ({
      pet,
      event: { id: eventId, ...event },
      ...(O.isSome(idempotencyKey) && { idempotencyKey: idempotencyKey.value }),
    }),
  ),
  /** The last line, with the number of lines of each kind. An export without it is incomplete. */
  End: plainKind(struct('end', { apiKeys: Count, records: Count })),
}

/** The kind of line for the record of each event: one more event does not compile without its own. */
export const LINE_OF = { PetCreated: 'PetCreated' } as const satisfies Readonly<
  Record<DomainEvent['_tag'], keyof typeof KINDS>
>

type Lines = {
  readonly [Tag in keyof typeof KINDS]: { readonly _tag: Tag } & Parameters<(typeof KINDS)[Tag]['encode']>[0]
}
export type ArchiveLine = Lines[keyof Lines]

/** The line with its line feed. Integers are written digit for digit. */
export const archiveLineText = (line: ArchiveLine): string => {
  const { kind, encode } = KINDS[line._tag] as ReturnType<typeof kindOf<unknown, Members, ArchiveLine>>
  return `${stringifyJson({ kind, ...encode(line) })}\n`
}

const KindOfLine = struct('line', { kind: Text })
const kinds = Object.entries(KINDS)

const decode = (json: unknown): E.Either<string, ArchiveLine> => {
  const line = KindOfLine.decode(json)
  if (E.isLeft(line)) return E.left(faultsText(line.left))
  const found = kinds.find(([, { kind }]) => kind === line.right.kind)
  if (found === undefined) return E.left(`/kind: must be one of ${kinds.map(([, { kind }]) => kind).join(', ')}`)
  const [_tag, { decode }] = found
  const decoded: E.Either<t.Errors, object> = decode(json)
  return E.bimap(faultsText, (members: object) => ({ _tag, ...members }) as ArchiveLine)(decoded)
}

export const archiveLineFrom = (text: string): E.Either<string, ArchiveLine> =>
  pipe(
    parseJson(text),
    E.mapLeft(({ reason }) => reason),
    E.flatMap(decode),
  )

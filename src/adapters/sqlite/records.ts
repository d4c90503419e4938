// Rows as records of the domain, and back. Damage is a value, never an exception.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { ApiKey } from '../../domain/api-keys/api-key.js'
import { Instant, Text } from '../../domain/codecs/scalar.js'
import { faultsText, struct } from '../../domain/codecs/struct.js'
import { type PetCreated, TraceParent } from '../../domain/events/domain-event.js'
import { RelayRecord } from '../../domain/events/relay-record.js'
import type { HeldIdempotencyKey, Hold, IdempotencyKey } from '../../domain/pets/decide-add.js'
import { Pet } from '../../domain/pets/pet.js'
import type { Damage } from '../../ports/notice.js'
import type { Connection, Row, Sql } from './file/connection.js'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Texts that clients choose are read as bytes: SQLite's interface ends a text at a NUL. Undefined if they are not UTF-8. */
const textOf = (bytes: unknown): unknown => {
  try {
    return bytes instanceof Uint8Array ? utf8.decode(bytes) : bytes
  } catch {
    return undefined
  }
}

/** Undefined if it is not JSON. */
const parsed = (text: unknown): unknown => {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

/** A record, or how it is damaged, which never says what is stored. */
export type Decoded<A> = E.Either<Damage, A>

const decoded = <A>(
  record: Damage['record'],
  id: unknown,
  codec: t.Decoder<unknown, A>,
  value: unknown,
): Decoded<A> => {
  const result = codec.decode(value)
  return E.isRight(result) ? result : E.left({ record, id: String(id), reason: faultsText(result.left) })
}

const unlessAbsent = <R, A>(row: R | undefined, decode: (row: R) => Decoded<A>): Decoded<O.Option<A>> =>
  row === undefined ? E.right(O.none) : E.map<A, O.Option<A>>(O.some)(decode(row))

/** It begins with the id of a pet. */
export type PetRow = readonly [id: bigint, ...Row]

/** The columns that `decodePet` reads, in order. */
export const PET_COLUMNS = 'id, CAST(name AS BLOB), category_id, status'

export const decodePet = ([id, name, categoryId, status]: PetRow): Decoded<Pet> =>
  decoded('pet', id, Pet, { id, name: textOf(name), categoryId, ...(status !== null && { status }) })

const EventMembers = struct('EventMembers', { eventId: Text, time: Instant }, { traceparent: TraceParent })

const EVENTS = `SELECT ${PET_COLUMNS}, CAST(event_id AS BLOB), time, traceparent FROM pets`

export const decodeEvent = (row: PetRow): Decoded<PetCreated> => {
  const [id, , , , eventId, time, traceparent] = row
  const pet = decodePet(row)
  if (E.isLeft(pet)) return pet
  const values = { eventId: textOf(eventId), time: Number(time), ...(traceparent !== null && { traceparent }) }
  const members = decoded('pet', id, EventMembers, values)
  return E.isLeft(members) ? members : E.right({ _tag: 'PetCreated', ...members.right, pet: pet.right })
}

export const findEvent = ({ first }: Connection, id: bigint): Decoded<O.Option<PetCreated>> =>
  unlessAbsent(first(`${EVENTS} WHERE id = ?` as Sql<PetRow>, id), decodeEvent)

/** The rows of the events after a number, for `decodeEvent`. */
export const eventRows = ({ all }: Connection, after: number | bigint, limit: number): readonly PetRow[] =>
  all(`${EVENTS} WHERE id > ? ORDER BY id LIMIT ?` as Sql<PetRow>, after, limit)

export const insertPet = ({ run }: Connection, { eventId, time, traceparent, pet }: PetCreated): void =>
  run(
    'INSERT INTO pets VALUES (?, CAST(? AS TEXT), ?, ?, CAST(? AS TEXT), ?, ?)',
    pet.id,
    Buffer.from(pet.name),
    pet.categoryId,
    pet.status ?? null,
    Buffer.from(eventId),
    time,
    traceparent ?? null,
  )

/** The latest holder of a key, expired or not. */
export const findHolder = (
  { first }: Connection,
  { lineage, key }: IdempotencyKey,
): O.Option<Hold & { readonly petId: bigint }> => {
  const sql: Sql<[bigint, bigint]> = 'SELECT pet_id, expires_at FROM idempotency_keys WHERE lineage = ? AND key = ?'
  const row = first(sql, lineage, key)
  return row === undefined ? O.none : O.some({ petId: row[0], expiresAt: Number(row[1]) })
}

/** A pet that holds an idempotency key. Throws if it is damaged or missing. */
export const heldPet = <A>(id: bigint, found: O.Option<A>): A => {
  if (O.isNone(found)) throw new Error(`pet ${id}, which holds the idempotency key, cannot be read`)
  return found.value
}

export const putHolder = ({ run }: Connection, { lineage, key, expiresAt }: HeldIdempotencyKey, petId: bigint): void =>
  run('REPLACE INTO idempotency_keys VALUES (?, ?, ?, ?)', lineage, key, petId, expiresAt)

const decodeApiKey = ([id, record]: Row): Decoded<ApiKey> => {
  const key = decoded('API key', id, ApiKey, parsed(record))
  if (E.isLeft(key) || key.right.id === id) return key
  return E.left({ record: 'API key', id: String(id), reason: '/id: belongs to another key' })
}

export const findApiKey = ({ first }: Connection, id: string): Decoded<O.Option<ApiKey>> =>
  unlessAbsent(first('SELECT id, record FROM api_keys WHERE id = ?', id), decodeApiKey)

/** In the order of their ids. */
export const allApiKeys = ({ all }: Connection): readonly Decoded<ApiKey>[] =>
  all('SELECT id, record FROM api_keys ORDER BY id').map(decodeApiKey)

export const putApiKey = ({ run }: Connection, key: ApiKey): void =>
  run('REPLACE INTO api_keys VALUES (?, ?)', key.id, JSON.stringify(ApiKey.encode(key)))

export const findRelay = ({ first }: Connection): Decoded<O.Option<RelayRecord>> =>
  unlessAbsent(first('SELECT relay FROM store WHERE relay IS NOT NULL'), ([relay]: Row) =>
    decoded('relay record', 'events', RelayRecord, parsed(relay)),
  )

/** Throws if the record is damaged: the relay must wait for a repair. */
export const loadRelay = (connection: Connection): O.Option<RelayRecord> => {
  const found = findRelay(connection)
  if (E.isLeft(found)) throw new Error(`the record of the relay is damaged: ${found.left.reason}`)
  return found.right
}

const HIGHEST: Sql<[bigint]> = 'SELECT ifnull(max(id), 0) FROM pets'
const LAST: Sql<[bigint]> = `SELECT max(ifnull((SELECT last_id FROM store), 0), (${HIGHEST}))`

/** The highest id of a pet; 0 if there is none. */
export const highestId = ({ first }: Connection): bigint => first(HIGHEST)?.[0] ?? 0n

/** The last id that no pet may get: that of a pet, or of an import or a restore. */
export const lastId = ({ first }: Connection): bigint => first(LAST)?.[0] ?? 0n

// Rows as records of the domain, and back. Damage is a value, never an exception.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { ApiKey } from '../../domain/api-keys/api-key.js'
import type { Stored } from '../../domain/archive/decide-import.js'
import { Text } from '../../domain/codecs/guarded.js'
import { Instant } from '../../domain/codecs/instant.js'
import { faultsText, struct } from '../../domain/codecs/struct.js'
import { type PetCreated, TraceParent } from '../../domain/events/domain-event.js'
import { RelayRecord } from '../../domain/events/relay-record.js'
import type { Hold, IdempotencyKey } from '../../domain/pets/decide-add.js'
import { Pet } from '../../domain/pets/pet.js'
import type { Connection, Row, Sql } from './connection.js'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Texts that clients choose are read as bytes: SQLite's interface ends a text at a NUL. Undefined if they are not UTF-8. */
const textOf = (bytes: unknown): unknown => {
  try {
    return bytes instanceof Uint8Array ? utf8.decode(bytes) : bytes
  } catch {
    return undefined
  }
}

const decoded = <A, O>(codec: t.Type<A, O>, value: unknown): E.Either<string, A> =>
  E.mapLeft(faultsText)(codec.decode(value))

/** It begins with the id of a pet. */
export type PetRow = readonly [id: bigint, ...Row]

/** The columns that `decodePet` reads, in order. */
export const PET_COLUMNS = 'id, CAST(name AS BLOB), category_id, status'

const petValue = ([id, name, categoryId, status]: Row) => ({
  id,
  name: textOf(name),
  categoryId,
  ...(status !== null && { status }),
})

/** The pet of a row; or why it is damaged, which never says what is stored. */
export const decodePet = (row: Row): E.Either<string, Pet> => decoded(Pet, petValue(row))

const StoredEvent = struct('StoredEvent', { eventId: Text, time: Instant }, { traceparent: TraceParent })
type StoredEvent = t.TypeOf<typeof StoredEvent>

/** The columns that `decodeEvent` reads, in order. */
export const EVENT_COLUMNS = `${PET_COLUMNS}, CAST(event_id AS BLOB), time, traceparent`

export const decodeEvent = (row: Row): E.Either<string, PetCreated> => {
  const [, , , , eventId, time, traceparent] = row
  const pet = decodePet(row)
  if (E.isLeft(pet)) return pet
  const event = { eventId: textOf(eventId), time: Number(time), ...(traceparent !== null && { traceparent }) }
  return E.map((members: StoredEvent) => ({ _tag: 'PetCreated', ...members, pet: pet.right }) as const)(
    decoded(StoredEvent, event),
  )
}

export const insertPet = (connection: Connection, { eventId, time, traceparent, pet }: PetCreated): void =>
  connection.run(
    'INSERT INTO pets VALUES (?, CAST(? AS TEXT), ?, ?, CAST(? AS TEXT), ?, ?)',
    pet.id,
    Buffer.from(pet.name),
    pet.categoryId,
    pet.status ?? null,
    Buffer.from(eventId),
    time,
    traceparent ?? null,
  )

export const findEvent = (connection: Connection, id: bigint): Stored<PetCreated> => {
  const row = connection.first(`SELECT ${EVENT_COLUMNS} FROM pets WHERE id = ?`, id)
  return row === undefined ? E.right(O.none) : E.map<PetCreated, O.Option<PetCreated>>(O.some)(decodeEvent(row))
}

export interface KeyHolder extends Hold {
  readonly petId: bigint
}

/** The latest holder of a key, expired or not. */
export const findHolder = (connection: Connection, { lineage, key }: IdempotencyKey): O.Option<KeyHolder> => {
  const sql: Sql<[bigint, bigint]> = 'SELECT pet_id, expires_at FROM idempotency_keys WHERE lineage = ? AND key = ?'
  const row = connection.first(sql, lineage, key)
  return row === undefined ? O.none : O.some({ petId: row[0], expiresAt: Number(row[1]) })
}

const fromJson = <A, O>(codec: t.Type<A, O>, text: unknown): E.Either<string, A> =>
  pipe(
    E.tryCatch(
      (): unknown => JSON.parse(String(text)),
      () => 'is not JSON',
    ),
    E.flatMap((json) => decoded(codec, json)),
  )

/** The key of a row; or why it is damaged or belongs to another id. */
export const decodeApiKey = ([id, record]: Row): E.Either<string, ApiKey> =>
  pipe(
    fromJson(ApiKey, record),
    E.filterOrElse(
      (key) => key.id === id,
      () => '/id: belongs to another key',
    ),
  )

export const findApiKey = (connection: Connection, id: string): Stored<ApiKey> => {
  const row = connection.first('SELECT id, record FROM api_keys WHERE id = ?', id)
  return row === undefined ? E.right(O.none) : E.map<ApiKey, O.Option<ApiKey>>(O.some)(decodeApiKey(row))
}

export const putApiKey = (connection: Connection, key: ApiKey): void =>
  connection.run('REPLACE INTO api_keys VALUES (?, ?)', key.id, JSON.stringify(ApiKey.encode(key)))

export const findRelay = (connection: Connection): Stored<RelayRecord> => {
  const text = connection.first('SELECT relay FROM store')?.[0] ?? null
  const reason = (fault: string) => `the record of the relay is damaged: ${fault}`
  if (text === null) return E.right(O.none)
  return pipe(fromJson(RelayRecord, text), E.map<RelayRecord, O.Option<RelayRecord>>(O.some), E.mapLeft(reason))
}

const HIGHEST: Sql<[bigint | null]> = 'SELECT max(id) FROM pets'
const KEPT: Sql<[bigint]> = 'SELECT last_id FROM store'

/** The highest id of a pet; 0 if there is none. */
export const highestId = (connection: Connection): bigint => connection.first(HIGHEST)?.[0] ?? 0n

/** The last id that no pet may get: that of a pet, or of an import or a restore. */
export const lastId = (connection: Connection): bigint => {
  const kept = connection.first(KEPT)?.[0] ?? 0n
  const highest = highestId(connection)
  return kept > highest ? kept : highest
}

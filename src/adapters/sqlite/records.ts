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
import { Pet } from '../../domain/pets/pet.js'
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

const decoded = <A, O>(codec: t.Type<A, O>, value: unknown): E.Either<string, A> =>
  E.mapLeft(faultsText)(codec.decode(value))

/** It begins with the id of a pet. */
export type PetRow = readonly [id: bigint, ...Row]

/** The columns that `decodePet` reads, in order. */
export const PET_COLUMNS = 'id, CAST(name AS BLOB), category_id, status'

/** The pet of a row; or why it is damaged, which never says what is stored. */
export const decodePet = ([id, name, categoryId, status]: Row): E.Either<string, Pet> =>
  decoded(Pet, { id, name: textOf(name), categoryId, ...(status !== null && { status }) })

const StoredEvent = struct('StoredEvent', { eventId: Text, time: Instant }, { traceparent: TraceParent })
type StoredEvent = t.TypeOf<typeof StoredEvent>

/** The columns that `decodeEvent` reads, in order. */
const EVENT_COLUMNS = `${PET_COLUMNS}, CAST(event_id AS BLOB), time, traceparent`

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

const storedAs = <R, A>(row: R | undefined, decode: (row: R) => E.Either<string, A>): Stored<A> =>
  row === undefined ? E.right(O.none) : E.map<A, O.Option<A>>(O.some)(decode(row))

export const findEvent = (connection: Connection, id: bigint): Stored<PetCreated> =>
  storedAs(connection.first(`SELECT ${EVENT_COLUMNS} FROM pets WHERE id = ?`, id), decodeEvent)

const EVENTS: Sql<PetRow> = `SELECT ${EVENT_COLUMNS} FROM pets WHERE id > ? ORDER BY id LIMIT ?`

/** The rows of the events after a number, for `decodeEvent`. */
export const eventRows = (connection: Connection, after: number | bigint, limit: number): readonly PetRow[] =>
  connection.all(EVENTS, after, limit)

/** All of them, page by page: while a snapshot is held, the log of a running store would grow without bound. */
export function* eventPages(connection: Connection, size: number): Generator<readonly PetRow[]> {
  let last = 0n
  for (let rows: readonly PetRow[] | undefined; rows === undefined || rows.length === size; ) {
    rows = eventRows(connection, last, size)
    last = rows.at(-1)?.[0] ?? last
    yield rows
  }
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

/** The row of a key, for `decodeApiKey`. */
export const apiKeyRow = (connection: Connection, id: string): Row | undefined =>
  connection.first('SELECT id, record FROM api_keys WHERE id = ?', id)

/** Those of all keys, in the order of their ids. */
export const apiKeyRows = (connection: Connection): readonly Row[] =>
  connection.all('SELECT id, record FROM api_keys ORDER BY id')

export const findApiKey = (connection: Connection, id: string): Stored<ApiKey> =>
  storedAs(apiKeyRow(connection, id), decodeApiKey)

export const putApiKey = (connection: Connection, key: ApiKey): void =>
  connection.run('REPLACE INTO api_keys VALUES (?, ?)', key.id, JSON.stringify(ApiKey.encode(key)))

export const findRelay = (connection: Connection): Stored<RelayRecord> => {
  const text = connection.first('SELECT relay FROM store')?.[0] ?? undefined
  const reason = (fault: string) => `the record of the relay is damaged: ${fault}`
  return E.mapLeft(reason)(storedAs(text, (json) => fromJson(RelayRecord, json)))
}

const HIGHEST: Sql<[bigint]> = 'SELECT ifnull(max(id), 0) FROM pets'
const LAST: Sql<[bigint]> = `SELECT max(ifnull((SELECT last_id FROM store), 0), (${HIGHEST}))`

/** The highest id of a pet; 0 if there is none. */
export const highestId = (connection: Connection): bigint => connection.first(HIGHEST)?.[0] ?? 0n

/** The last id that no pet may get: that of a pet, or of an import or a restore. */
export const lastId = (connection: Connection): bigint => connection.first(LAST)?.[0] ?? 0n

// Converts rows to domain records and back. Damage is a value, never an exception.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { ApiKey } from '../../domain/api-keys/api-key.js'
import { Instant, Text } from '../../domain/codecs/scalar.js'
import { faultsText, struct } from '../../domain/codecs/struct.js'
import { damagedError } from '../../domain/errors.js'
import { type PetCreated, TraceParent } from '../../domain/events/domain-event.js'
import { RelayRecord } from '../../domain/events/relay-record.js'
import type { HeldIdempotencyKey, Hold, IdempotencyKey, PetRecord } from '../../domain/pets/decide-add.js'
import { Pet } from '../../domain/pets/pet.js'
import type { Damage, ReportDamage } from '../../ports/notice.js'
import type { Connection, Row, Sql } from './file/connection.js'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Texts from clients are read as bytes, because SQLite's interface ends a text at a NUL. Undefined if not UTF-8. */
const textOf = (bytes: Uint8Array): unknown => O.toUndefined(O.tryCatch(() => utf8.decode(bytes)))

const parsed = (text: string): unknown => O.toUndefined(O.tryCatch(() => JSON.parse(text) as unknown))

/** A record, or its damage. The description never contains stored values. */
export type Decoded<A> = E.Either<Damage, A>

const decoded = <A>(record: Damage['record'], id: unknown, codec: t.Decoder<unknown, A>, value: unknown) =>
  E.mapLeft((errors: t.Errors): Damage => ({ record, id: String(id), reason: faultsText(errors) }))(codec.decode(value))

export type PetRow = readonly [id: bigint, name: Uint8Array, categoryId: bigint, status: string | null]

export const PET_COLUMNS = 'id, CAST(name AS BLOB), category_id, status'

export const decodePet = ([id, name, categoryId, status]: PetRow | EventRow): Decoded<Pet> =>
  decoded('pet', id, Pet, { id, name: textOf(name), categoryId, ...(status !== null && { status }) })

const EventMembers = struct('EventMembers', { eventId: Text, time: Instant }, { traceparent: TraceParent })

export type EventRow = readonly [...PetRow, eventId: Uint8Array, time: bigint, traceparent: string | null]

export const eventRows = ({ all }: Connection, where: string, ...values: Row): readonly EventRow[] =>
  all(
    `SELECT ${PET_COLUMNS}, CAST(event_id AS BLOB), time, traceparent FROM pets WHERE ${where}` as Sql<EventRow>,
    ...values,
  )

export const eventRowsAfter = (connection: Connection, id: number | bigint, limit: number): readonly EventRow[] =>
  eventRows(connection, 'id > ? ORDER BY id LIMIT ?', id, limit)

export const decodeEvent = (row: EventRow): Decoded<PetCreated> => {
  const [id, , , , eventId, time, traceparent] = row
  const pet = decodePet(row)
  if (E.isLeft(pet)) return pet
  const values = { eventId: textOf(eventId), time: Number(time), ...(traceparent !== null && { traceparent }) }
  const members = decoded('pet', id, EventMembers, values)
  return E.isLeft(members) ? members : E.right({ _tag: 'PetCreated', ...members.right, pet: pet.right })
}

export type HeldKeyRow = readonly [lineage: Uint8Array, key: Uint8Array, expiresAt: bigint, petId: bigint]

const HeldKey = struct('HeldKey', { lineage: Text, key: Text, expiresAt: Instant })

export const idOfKey = (...parts: readonly Uint8Array[]): string =>
  parts.map((bytes) => Buffer.from(bytes).toString()).join(' ')

export const decodeHeldKey = ([lineage, key, expiresAt]: HeldKeyRow): Decoded<HeldIdempotencyKey> =>
  decoded('idempotency key', idOfKey(lineage, key), HeldKey, {
    lineage: textOf(lineage),
    key: textOf(key),
    expiresAt: Number(expiresAt),
  })

/** A new pet as plain values: copying nested objects to the writer thread takes 5 µs more (measured). */
export const valuesOf = ({ event, idempotencyKey }: PetRecord) => {
  const { eventId, time, traceparent, pet } = event
  const held = O.toUndefined(idempotencyKey)
  const ofPet = [pet.id, pet.name, pet.categoryId, pet.status, eventId, time, traceparent] as const
  return [...ofPet, held?.lineage, held?.key, held?.expiresAt] as const
}

export type PetValues = ReturnType<typeof valuesOf>

export const recordOf = (values: PetValues): PetRecord => {
  const [id, name, categoryId, status, eventId, time, traceparent, lineage, key, expiresAt] = values
  const pet = { id, name, categoryId, ...(status !== undefined && { status }) }
  const event = { _tag: 'PetCreated', eventId, time, pet, ...(traceparent !== undefined && { traceparent }) } as const
  const hasKey = lineage !== undefined && key !== undefined && expiresAt !== undefined
  return { event, idempotencyKey: hasKey ? O.some({ lineage, key, expiresAt }) : O.none }
}

const HOLDER: Sql<[petId: bigint, expiresAt: bigint]> =
  'SELECT pet_id, expires_at FROM idempotency_keys WHERE lineage = ? AND key = ?'

export interface Holder extends Hold {
  readonly petId: bigint
}

/** The latest holder of an idempotency key, expired or not. */
export const findHolder = ({ first }: Connection, { lineage, key }: IdempotencyKey): O.Option<Holder> => {
  const row = first(HOLDER, lineage, key)
  return row === undefined ? O.none : O.some({ petId: row[0], expiresAt: Number(row[1]) })
}

/** The key with this id, or all. */
export const apiKeys = ({ all }: Connection, wanted?: string): readonly Decoded<ApiKey>[] => {
  const [where, values] = wanted === undefined ? ['', []] : ['WHERE id = ?', [wanted]]
  const rows = all(`SELECT id, record FROM api_keys ${where}` as Sql<[string, string]>, ...values)
  return rows.map(([id, record]) => {
    const key = decoded('API key', id, ApiKey, parsed(record))
    if (E.isLeft(key) || key.right.id === id) return key
    return E.left({ record: 'API key', id, reason: '/id: belongs to another key' })
  })
}

const RELAY: Sql<[string]> = 'SELECT relay FROM store WHERE relay IS NOT NULL'

/** At most one record. */
export const relayRecords = ({ all }: Connection): readonly Decoded<RelayRecord>[] =>
  all(RELAY).map(([record]) => decoded('relay record', 'events', RelayRecord, parsed(record)))

/** Throws if the record is damaged: the relay must wait for a repair. */
export const loadRelay = (connection: Connection, reportDamage: ReportDamage = () => {}): O.Option<RelayRecord> => {
  const [found] = relayRecords(connection)
  if (found === undefined) return O.none
  if (E.isRight(found)) return O.some(found.right)
  reportDamage(found.left)
  throw damagedError(`the record of the relay is damaged: ${found.left.reason}`, found.left)
}

const HIGHEST: Sql<[bigint]> = 'SELECT ifnull(max(id), 0) FROM pets'
const LAST: Sql<[bigint]> = `SELECT max(ifnull((SELECT last_id FROM store), 0), (${HIGHEST}))`

/** The highest id of a pet; 0 if there is none. */
export const highestId = ({ first }: Connection): bigint => first(HIGHEST)?.[0] ?? 0n

/** The last used id: of a pet, or as set by an import or a restore. */
export const lastId = ({ first }: Connection): bigint => first(LAST)?.[0] ?? 0n

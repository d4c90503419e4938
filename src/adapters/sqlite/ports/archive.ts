// Exports and imports all records of the embedded store.
import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Counts, IdempotencyKeyArchived } from '../../../domain/archive/archive-record.js'
import { Instant, Text } from '../../../domain/codecs/scalar.js'
import { struct } from '../../../domain/codecs/struct.js'
import { unavailable } from '../../../domain/errors.js'
import type { Archive, ArchiveItem } from '../../../ports/archive.js'
import type { Connection, Row, Sql } from '../file/connection.js'
import {
  apiKeys,
  type Decoded,
  decoded,
  decodeEvent,
  type EventRow,
  eventRowsAfter,
  lastId,
  textOf,
} from '../records.js'
import type { Writes } from '../writing/writes.js'
import type { Access } from './pet-repository.js'

/** Rows per page: a page blocks the event loop for a few milliseconds. */
const PAGE = 500

type KeyRow = readonly [
  lineage: Uint8Array,
  key: Uint8Array,
  petId: bigint,
  expiresAt: bigint,
  eventId: Uint8Array | null,
]

/** Continues after the bytes read last, so that it passes damaged texts. `+` makes SQLite search by both columns. */
const KEYS: Sql<KeyRow> = `
  SELECT CAST(k.lineage AS BLOB), CAST(k.key AS BLOB), k.pet_id, k.expires_at, CAST(p.event_id AS BLOB)
  FROM idempotency_keys k LEFT JOIN pets p ON p.id = k.pet_id
  WHERE (k.lineage, k.key) > (+CAST(? AS TEXT), +CAST(? AS TEXT)) AND k.expires_at > ? AND (k.pet_id <= ? OR p.id IS NULL)
  ORDER BY k.lineage, k.key LIMIT ${PAGE}`

const HeldKey = struct('HeldKey', { lineage: Text, key: Text, expiresAt: Instant })

const decodeKey = ([lineage, key, petId, expiresAt, eventId]: KeyRow): Decoded<IdempotencyKeyArchived> => {
  const id = [lineage, key].map((bytes) => Buffer.from(bytes).toString()).join(' ')
  const held = decoded('idempotency key', id, HeldKey, {
    lineage: textOf(lineage),
    key: textOf(key),
    expiresAt: Number(expiresAt),
  })
  if (E.isLeft(held)) return held
  if (eventId === null) return E.left({ record: 'idempotency key', id, reason: `its pet ${petId} is missing` })
  return E.right({ _tag: 'IdempotencyKey', petId, eventId: Buffer.from(eventId).toString(), key: held.right })
}

const itemOf = <A>(toItem: (value: A) => ArchiveItem): ((record: Decoded<A>) => ArchiveItem) =>
  E.match((damage) => ({ _tag: 'Damaged', damage }), toItem)

const NOTHING = new Uint8Array()

/** Each page has its own snapshot: one for all pages would let the log of a running store grow without bound. */
function* pages<R extends Row>(next: (last: R | undefined) => readonly R[]): Generator<readonly R[]> {
  for (let rows = next(undefined); rows.length > 0; rows = next(rows.at(-1))) yield rows
}

/** All records. Skips idempotency keys that have expired, or whose pet is damaged or newer than the last pet read. */
export function* allItems(connection: Connection, now: Instant): Generator<readonly ArchiveItem[]> {
  yield apiKeys(connection).map(itemOf((key) => ({ _tag: 'ApiKey', key })))
  let last = 0n
  const damaged = new Set<string>()
  for (const rows of pages<EventRow>((row) => eventRowsAfter(connection, row?.[0] ?? 0n, PAGE))) {
    last = rows.at(-1)?.[0] ?? last
    const events = rows.map(decodeEvent)
    for (const { id } of RA.lefts(events)) damaged.add(id)
    yield events.map(itemOf((event) => ({ _tag: 'Pet', event })))
  }
  for (const rows of pages<KeyRow>((row) => connection.all(KEYS, row?.[0] ?? NOTHING, row?.[1] ?? NOTHING, now, last)))
    yield rows
      .filter(([, , petId]) => !damaged.has(String(petId)))
      .map(decodeKey)
      .map(itemOf((key) => key))
}

const COUNTS: Sql<[pets: bigint, apiKeys: bigint, idempotencyKeys: bigint]> =
  'SELECT (SELECT count(*) FROM pets), (SELECT count(*) FROM api_keys), (SELECT count(*) FROM idempotency_keys)'

export const countRecords = ({ first }: Connection): Counts => {
  const [pets = 0, apiKeys = 0, idempotencyKeys = 0] = first(COUNTS)?.map(Number) ?? []
  return { pets, apiKeys, idempotencyKeys }
}

export const makeSqliteArchive = ({ connection, write }: Pick<Access, 'connection' | 'write'>): Archive => ({
  read: async function* (now) {
    try {
      yield E.right([{ _tag: 'StoreState', lastId: lastId(connection) }])
      for (const items of allItems(connection, now)) yield E.right(items)
    } catch (cause) {
      yield E.left(unavailable(cause))
    }
  },
  add: (batch) => TE.flatMapEither((result: ReturnType<Writes['addBatch']>) => result)(write('addBatch', batch)),
})

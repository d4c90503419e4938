// Moves all records of the embedded store.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Counts } from '../../../domain/archive/archive-record.js'
import type { Instant } from '../../../domain/codecs/scalar.js'
import { unavailable } from '../../../domain/errors.js'
import type { Archive, ArchiveItem } from '../../../ports/archive.js'
import type { Connection, Row, Sql } from '../file/connection.js'
import { allApiKeys, type Decoded, decodeEvent, eventRows, lastId, type PetRow } from '../records.js'
import type { WriteOutput } from '../writing/writes.js'
import { type Access, read } from './access.js'

/** Rows per page: a few milliseconds of work, so that the event loop is not blocked. */
const PAGE = 500

type KeyRow = readonly [lineage: string, key: string, petId: bigint, expiresAt: bigint, eventId: Uint8Array | null]

const KEYS: Sql<KeyRow> = `
  SELECT k.lineage, k.key, k.pet_id, k.expires_at, CAST(p.event_id AS BLOB)
  FROM idempotency_keys k LEFT JOIN pets p ON p.id = k.pet_id
  WHERE (k.lineage, k.key) > (?, ?) ORDER BY k.lineage, k.key LIMIT ${PAGE}`

const itemOf =
  <A>(toItem: (value: A) => ArchiveItem) =>
  (record: Decoded<A>): ArchiveItem =>
    E.isLeft(record) ? { _tag: 'Damaged', damage: record.left } : toItem(record.right)

const keyItem = ([lineage, key, petId, expiresAt, eventId]: KeyRow): ArchiveItem => {
  if (eventId === null) {
    const reason = `its pet ${petId} is missing`
    return { _tag: 'Damaged', damage: { record: 'idempotency key', id: `${lineage} ${key}`, reason } }
  }
  const held = { lineage, key, expiresAt: Number(expiresAt) }
  return { _tag: 'IdempotencyKey', petId, eventId: Buffer.from(eventId).toString(), key: held }
}

/** Page by page: while a snapshot is held, the log of a running store would grow without bound. */
function* pages<R extends Row>(next: (last: R | undefined) => readonly R[]): Generator<readonly R[]> {
  for (let rows = next(undefined); rows.length > 0; rows = next(rows.at(-1))) yield rows
}

/** All records; an idempotency key is left out if it has expired, or its pet was added after those that were read. */
export function* allItems(connection: Connection, now: Instant): Generator<readonly ArchiveItem[]> {
  yield allApiKeys(connection).map(itemOf((key) => ({ _tag: 'ApiKey', key })))
  let last = 0n
  for (const rows of pages<PetRow>((row) => eventRows(connection, row?.[0] ?? 0n, PAGE))) {
    last = rows.at(-1)?.[0] ?? last
    yield rows.map(decodeEvent).map(itemOf((event) => ({ _tag: 'Pet', event })))
  }
  for (const rows of pages<KeyRow>((row) => connection.all(KEYS, row?.[0] ?? '', row?.[1] ?? '')))
    yield rows.filter(([, , petId, expiresAt, id]) => expiresAt > now && (petId <= last || id === null)).map(keyItem)
}

const COUNTS: Sql<[pets: bigint, apiKeys: bigint, idempotencyKeys: bigint]> =
  'SELECT (SELECT count(*) FROM pets), (SELECT count(*) FROM api_keys), (SELECT count(*) FROM idempotency_keys)'

export const countRecords = ({ first }: Connection): Counts => {
  const [pets = 0, apiKeys = 0, idempotencyKeys = 0] = first(COUNTS)?.map(Number) ?? []
  return { pets, apiKeys, idempotencyKeys }
}

export const makeSqliteArchive = ({ connection, write, added }: Access): Archive => ({
  size: read(() => Object.values(countRecords(connection)).reduce((sum, count) => sum + count)),
  read: async function* (now) {
    try {
      yield E.right([{ _tag: 'StoreState', lastId: lastId(connection) }])
      for (const items of allItems(connection, now)) yield E.right(items)
    } catch (cause) {
      yield E.left(unavailable(cause))
    }
  },
  add: (batch) =>
    TE.flatMapEither((result: WriteOutput<'addBatch'>) => {
      // the ids of this process go on above those of the import
      added(lastId(connection))
      return E.map((places: readonly number[]) => places.flatMap((at) => batch.records[at] ?? []))(result)
    })(write('addBatch', batch)),
})

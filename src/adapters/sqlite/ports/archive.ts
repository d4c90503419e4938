// Moves all records of the embedded store. It reads page by page: while a snapshot is held, the log would grow without bound.
import * as E from 'fp-ts/lib/Either.js'
import type { Instant } from '../../../domain/codecs/instant.js'
import { unavailable } from '../../../domain/errors.js'
import type { Archive, ArchiveItem } from '../../../ports/archive.js'
import type { Damage } from '../../../ports/notice.js'
import type { Connection, Row, Sql } from '../file/connection.js'
import { apiKeyRows, decodeApiKey, decodeEvent, eventPages, lastId } from '../records.js'
import type { Writer } from '../writing/writer.js'
import type { Reader } from './reader.js'

/** Rows per page: a few milliseconds of work, so that the event loop is not blocked. */
const PAGE = 500

const KEYS: Sql<KeyRow> = `
  SELECT k.lineage, k.key, k.pet_id, k.expires_at, CAST(p.event_id AS BLOB)
  FROM idempotency_keys k LEFT JOIN pets p ON p.id = k.pet_id
  WHERE (k.lineage, k.key) > (?, ?) ORDER BY k.lineage, k.key LIMIT ${PAGE}`

const damaged = (record: Damage['record'], id: unknown, reason: string): ArchiveItem => ({
  _tag: 'Damaged',
  damage: { record, id: String(id), reason },
})

const apiKeyItem = (row: Row): ArchiveItem => {
  const key = decodeApiKey(row)
  return E.isLeft(key) ? damaged('API key', row[0], key.left) : { _tag: 'ApiKey', key: key.right }
}

const petItem = (row: Row): ArchiveItem => {
  const event = decodeEvent(row)
  return E.isLeft(event) ? damaged('pet', row[0], event.left) : { _tag: 'Pet', event: event.right }
}

type KeyRow = readonly [lineage: string, key: string, petId: bigint, expiresAt: bigint, eventId: Uint8Array | null]

/** None if the key has expired, or its pet was added after those that were read. */
const keyItems =
  (lastPet: bigint, now: Instant) =>
  ([lineage, key, petId, expiresAt, bytes]: KeyRow): readonly ArchiveItem[] => {
    if (expiresAt <= now || petId > lastPet) return []
    if (bytes === null) return [damaged('idempotency key', `${lineage} ${key}`, `its pet ${petId} cannot be read`)]
    const held = { lineage, key, expiresAt: Number(expiresAt) }
    return [{ _tag: 'IdempotencyKey', petId, eventId: Buffer.from(bytes).toString(), key: held }]
  }

function* itemsOf(connection: Connection, now: Instant): Generator<readonly ArchiveItem[]> {
  const state: ArchiveItem = { _tag: 'StoreState', lastId: lastId(connection) }
  yield [state, ...apiKeyRows(connection).map(apiKeyItem)]
  let last = 0n
  for (const rows of eventPages(connection, PAGE)) {
    last = rows.at(-1)?.[0] ?? last
    yield rows.map(petItem)
  }
  let [lineage, key] = ['', '']
  for (let rows: readonly KeyRow[] | undefined; rows === undefined || rows.length === PAGE; ) {
    rows = connection.all(KEYS, lineage, key)
    ;[lineage, key] = rows.at(-1) ?? ['', '']
    yield rows.flatMap(keyItems(last, now))
  }
}

const SIZE = `
  SELECT (SELECT ifnull(sum(pets), 0) FROM counts) + (SELECT count(*) FROM api_keys)
    + (SELECT count(*) FROM idempotency_keys)`

export const makeSqliteArchive = (
  { connection, read }: Reader,
  { write }: Pick<Writer, 'write'>,
  added: (id: bigint) => void,
): Archive => ({
  size: read(() => Number(connection.first(SIZE)?.[0])),
  read: async function* (now) {
    try {
      for (const items of itemsOf(connection, now)) yield E.right(items)
    } catch (cause) {
      yield E.left(unavailable(cause))
    }
  },
  add: (batch) => async () => {
    const written = await write('addBatch', batch)()
    if (E.isLeft(written)) return written
    // the ids of this process go on above those of the import
    added(lastId(connection))
    // copies of the records have crossed to the thread and back
    return E.map((places: readonly number[]) => places.flatMap((at) => batch.records[at] ?? []))(written.right)
  },
})

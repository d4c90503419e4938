// Reads and restores the records of the embedded store, page by page: one snapshot for all pages would let the log of a
// running store grow without bound.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { HeldIdempotencyKey, PetRecord } from '../../domain/pets/decide-add.js'
import type { Archive, ArchivePage } from '../../ports/archive.js'
import type { Damage } from '../../ports/notice.js'
import { read } from './file/connection.js'
import type { Access } from './pets.js'
import {
  type Decoded,
  decodeEvent,
  decodeHeldKey,
  eventRowsAfter,
  type HeldKeyRow,
  highestId,
  lastId,
  valuesOf,
} from './records.js'

/** Rows per page: a page blocks the event loop for a few milliseconds. */
export const PAGE = 500

/** Ids whose idempotency keys are read at once. No index finds the key of a pet, so each time reads all keys. */
const WINDOW = 50_000n

const KEYS = `SELECT CAST(lineage AS BLOB), CAST(key AS BLOB), expires_at, pet_id FROM idempotency_keys
  WHERE pet_id > ? AND pet_id <= ?`

export const makeSqliteArchive = ({ connection, write }: Pick<Access, 'connection' | 'write'>): Archive => {
  let keys = new Map<bigint, Decoded<HeldIdempotencyKey>>()
  let [from, to] = [0n, 0n]

  /** At least up to `last`, and for no pet that may be added later. */
  const readKeys = (after: bigint, last: bigint): void => {
    const highest = highestId(connection)
    const end = after + WINDOW < highest ? after + WINDOW : highest
    ;[from, to] = [after, last > end ? last : end]
    const rows = connection.all<HeldKeyRow>(KEYS, from, to)
    keys = new Map(rows.map((row) => [row[3], decodeHeldKey(row)]))
  }

  const readPage = (after: bigint): ArchivePage => {
    const rows = eventRowsAfter(connection, after, PAGE)
    const last = rows.at(-1)?.[0]
    if (last !== undefined && (after < from || last > to)) readKeys(after, last)
    const records: PetRecord[] = []
    const damaged: Damage[] = []
    for (const row of rows) {
      const event = decodeEvent(row)
      const key = keys.get(row[0])
      if (key !== undefined && E.isLeft(key)) damaged.push(key.left)
      if (E.isLeft(event)) damaged.push(event.left)
      else records.push({ event: event.right, idempotencyKey: key === undefined ? O.none : O.fromEither(key) })
    }
    return { records, damaged, next: O.fromNullable(last) }
  }

  return {
    lastId: read(() => lastId(connection)),
    read: (after) => read(() => readPage(after)),
    restore: (record) => write('restore', valuesOf(record)),
    end: (id) => write('raiseLastId', id),
  }
}

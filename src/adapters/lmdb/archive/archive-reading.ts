// All records of the embedded store, as they were at one instant.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Key, RangeOptions } from 'lmdb'
import type { Instant } from '../../../domain/codecs/instant.js'
import { unavailable } from '../../../domain/errors.js'
import type { Archive, ArchiveItem } from '../../../ports/archive.js'
import type { Damage } from '../../../ports/damage-report.js'
import { decodeApiKey } from '../api-key-store.js'
import type { Environment } from '../environment/environment.js'
import { misheld, StoredIdempotencyKey } from '../tables/idempotency-key-table.js'
import { highestStoredId, lastDrawnId } from '../tables/meta-table.js'
import { decodePetRecord } from '../tables/pet-record.js'
import { storedEvent } from '../tables/pet-table.js'
import type { ReadableTable, ReadableTables } from '../tables/snapshot.js'
import { decodeStored } from '../tables/stored-json.js'
import { entryCount, type Tables } from '../tables/tables.js'

/** Records per batch: a few milliseconds of work, so that the event loop is not blocked. */
const BATCH = 500

interface Entry<K> {
  readonly key: K
  readonly value: Buffer
}

const damaged =
  (record: Damage['record'], id: string) =>
  (reason: string): ArchiveItem => ({ _tag: 'Damaged', damage: { record, id, reason } })

const storeState = (tables: ReadableTables): readonly ArchiveItem[] => {
  const drawn = lastDrawnId(tables)
  const state = (lastId: bigint): ArchiveItem => ({ _tag: 'StoreState', lastId })
  if (E.isRight(drawn)) return [state(drawn.right)]
  return [state(highestStoredId(tables)), damaged('id counter', 'counter')(drawn.left)]
}

const apiKeys = ({ apiKeys: table }: ReadableTables): readonly ArchiveItem[] =>
  [...table.getRange()].map(({ key: id, value }) =>
    pipe(
      decodeApiKey(id, value),
      E.match(damaged('API key', id), (key): ArchiveItem => ({ _tag: 'ApiKey', key })),
    ),
  )

/** The entries of a table, in batches. */
function* batches<K extends Key>(table: ReadableTable<K>): Generator<readonly Entry<K>[]> {
  let after: RangeOptions = {}
  for (;;) {
    const entries = [...table.getRange({ ...after, limit: BATCH })]
    yield entries
    const last = entries.at(-1)
    if (last === undefined || entries.length < BATCH) return
    after = { start: last.key, exclusiveStart: true }
  }
}

const petItem = ({ key: id, value }: Entry<number>): ArchiveItem =>
  pipe(
    decodePetRecord(id, value),
    E.match(damaged('pet', String(id)), (event): ArchiveItem => ({ _tag: 'Pet', event })),
  )

/** The item of an idempotency key; none if it has expired. A key without its pet is of no use to another store. */
const keyItems = (
  tables: ReadableTables,
  { key: [lineage = '', key = ''], value }: Entry<string[]>,
  now: Instant,
): readonly ArchiveItem[] => {
  const asDamaged = damaged('idempotency key', `${lineage} ${key}`)
  const stored = decodeStored(StoredIdempotencyKey, value)
  if (E.isLeft(stored)) return [asDamaged(stored.left)]
  const { petId, expiresAt } = stored.right
  if (expiresAt <= now) return []
  const event = storedEvent(tables, petId)
  if (E.isLeft(event) || O.isNone(event.right)) return [asDamaged(`its pet ${petId} cannot be read`)]
  const reason = misheld(stored.right, event.right.value)
  if (reason !== undefined) return [asDamaged(reason)]
  const { eventId } = event.right.value
  return [{ _tag: 'IdempotencyKey', petId: BigInt(petId), eventId, key: { lineage, key, expiresAt } }]
}

function* itemsOf(tables: ReadableTables, now: Instant): Generator<readonly ArchiveItem[]> {
  yield [...storeState(tables), ...apiKeys(tables)]
  for (const entries of batches(tables.pets)) yield entries.map(petItem)
  for (const entries of batches(tables.idempotencyKeys)) yield entries.flatMap((entry) => keyItems(tables, entry, now))
}

/** Number of records, including expired ones. */
export const archiveSize = ({ apiKeys: keys, pets, idempotencyKeys }: Tables): number =>
  entryCount(keys) + entryCount(pets) + entryCount(idempotencyKeys)

/** Reads a snapshot. While it is read, the file cannot reuse pages that writers free: it grows by what they write. */
export const readArchive = (environment: Environment): Archive['read'] =>
  async function* (now) {
    try {
      const { tables, close } = environment.snapshot()
      try {
        for (const items of itemsOf(tables, now)) yield E.right(items)
      } finally {
        close()
      }
    } catch (cause) {
      yield E.left(unavailable(cause))
    }
  }

// Moves all records of the embedded store: reads them as they were at one instant, and adds those of another store.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Key, RangeOptions } from 'lmdb'
import type { Counted, ImportBatch, RecordDiffers } from '../../domain/archive/archive-record.js'
import { decideImport, type ImportTarget } from '../../domain/archive/decide-import.js'
import type { Instant } from '../../domain/codecs/instant.js'
import { unavailable } from '../../domain/errors.js'
import type { Archive, ArchiveItem } from '../../ports/archive.js'
import type { Damage } from '../../ports/notice.js'
import { decodeApiKey, putApiKey } from './api-key-store.js'
import type { Environment } from './environment/environment.js'
import { findStoredKey, misheld, putStoredKey, StoredIdempotencyKey } from './tables/idempotency-key-table.js'
import { COUNTER_KEY, countedId, highestStoredId, lastDrawnId } from './tables/meta-table.js'
import { decodePetRecord, putPet, storedEvent } from './tables/pet-table.js'
import { decodeStored, storedAs } from './tables/stored-json.js'
import { type Entry, entryCount, type ReadableTable, type ReadableTables, type Tables } from './tables/tables.js'

/** Records per batch: a few milliseconds of work, so that the event loop is not blocked. */
const BATCH = 500

const damaged =
  (record: Damage['record'], id: string) =>
  (reason: string): ArchiveItem => ({ _tag: 'Damaged', damage: { record, id, reason } })

const storeState = (tables: ReadableTables): readonly ArchiveItem[] => {
  const drawn = lastDrawnId(tables)
  if (E.isRight(drawn)) return [{ _tag: 'StoreState', lastId: drawn.right }]
  return [{ _tag: 'StoreState', lastId: highestStoredId(tables) }, damaged('id counter', 'counter')(drawn.left)]
}

const apiKeyItem = ({ key: id, value }: Entry<string>): ArchiveItem =>
  pipe(
    decodeApiKey(id, value),
    E.match(damaged('API key', id), (key): ArchiveItem => ({ _tag: 'ApiKey', key })),
  )

const petItem = ({ key: id, value }: Entry<number>): ArchiveItem =>
  pipe(
    decodePetRecord(id, value),
    E.match(damaged('pet', String(id)), (event): ArchiveItem => ({ _tag: 'Pet', event })),
  )

/** The item of an idempotency key; none if it has expired. A key without its pet is of no use to another store. */
const keyItems =
  (tables: ReadableTables, now: Instant) =>
  ({ key: [lineage = '', key = ''], value }: Entry<string[]>): readonly ArchiveItem[] => {
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

function* itemsOf(tables: ReadableTables, now: Instant): Generator<readonly ArchiveItem[]> {
  yield [...storeState(tables), ...[...tables.apiKeys.getRange()].map(apiKeyItem)]
  for (const entries of batches(tables.pets)) yield entries.map(petItem)
  for (const entries of batches(tables.idempotencyKeys)) yield entries.flatMap(keyItems(tables, now))
}

const targetOf = (tables: Tables): ImportTarget => ({
  lastPet: highestStoredId(tables),
  pet: (id) => storedEvent(tables, Number(id)),
  apiKey: (id) => storedAs(tables.apiKeys.get(id), (bytes) => decodeApiKey(id, bytes)),
  holder: (key) => findStoredKey(tables, key),
})

const put = (tables: Tables, record: Counted, now: Instant): void => {
  if (record._tag === 'ApiKey') putApiKey(tables, record.key)
  else if (record._tag === 'Pet') putPet(tables, record.event)
  else putStoredKey(tables, record.key, record, O.flatten(O.fromEither(findStoredKey(tables, record.key))), now)
}

/** A damaged counter stays: it stops creates until an operator has looked at it. */
const raiseCounter = (tables: Tables, lastId: bigint): void => {
  const counted = countedId(tables)
  if (E.isRight(counted) && O.getOrElse(() => 0n)(counted.right) < lastId)
    tables.meta.putSync(COUNTER_KEY, Buffer.from(String(lastId)))
}

const addTo = (tables: Tables, batch: ImportBatch): E.Either<RecordDiffers, readonly Counted[]> => {
  const added = decideImport(batch, targetOf(tables))
  if (E.isLeft(added)) return added
  for (const record of added.right) put(tables, record, batch.now)
  raiseCounter(tables, O.getOrElse(() => highestStoredId(tables))(batch.lastId))
  return added
}

export const makeLmdbArchive = ({ read, write, snapshot }: Environment): Archive => ({
  size: read(({ apiKeys, pets, idempotencyKeys }) =>
    [apiKeys, pets, idempotencyKeys].reduce((sum, table) => sum + entryCount(table), 0),
  ),
  // while a snapshot is read, the file cannot reuse pages that writers free: it grows by what they write
  read: async function* (now) {
    try {
      const { tables, close } = snapshot()
      try {
        for (const items of itemsOf(tables, now)) yield E.right(items)
      } finally {
        close()
      }
    } catch (cause) {
      yield E.left(unavailable(cause))
    }
  },
  add: (batch) =>
    pipe(
      write((tables) => E.right(addTo(tables, batch))),
      TE.flatMapEither((added): ReturnType<typeof addTo> => added),
    ),
})

// Pets in a MongoDB collection, one document each.
import * as E from 'fp-ts/lib/Either.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { Collection, Db } from 'mongodb'
import type { Unavailable } from '../../../domain/errors.js'
import type { ReportDamage } from '../../../ports/damage-report.js'
import type { Added, PetRecord, PetRepository } from '../../../ports/pet-repository.js'
import type { OfStorage } from '../../../ports/storage.js'
import type { Lane } from '../batching/batch.js'
import type { BatchObserver } from '../batching/observe-calls.js'
import type { Run } from '../connection/connection.js'
import type { LazyDatabase } from '../connection/lazy-database.js'
import type { PetDocument } from '../documents/pet-document.js'
import type { UnusedIds } from '../log/unused-ids.js'
import { makeIdempotencyKeyReading } from './idempotency-key-reading.js'
import { COUNT_TIMEOUT_MS, makePetCounting } from './pet-counting.js'
import { makePetInsertion } from './pet-insertion.js'
import { makePetReading } from './pet-reading.js'

export interface MongoPetRepositorySettings extends OfStorage {
  readonly database: Db
  readonly pets: Collection<PetDocument>
  /** The database connection for exact counts. */
  readonly counts: Pick<LazyDatabase, 'open'>
  /** Raises the counter of ids above every stored pet. */
  readonly raiseAboveStoredIds: Task<void>
  readonly inserts: Lane
  readonly run: Run
  readonly unusedIds: Pick<UnusedIds, 'use' | 'close'>
  readonly reportDamage: ReportDamage
  readonly observer: BatchObserver
}

export const makeMongoPetRepository = (settings: MongoPetRepositorySettings): PetRepository => {
  const { database, pets, counts, raiseAboveStoredIds, inserts, unusedIds, run, reportDamage, observer, storage } =
    settings
  const damaged = new Set<bigint>()
  const insert = makePetInsertion({ database, pets, raiseAboveStoredIds, inserts, reportDamage, observer })
  const { findById, findPage } = makePetReading({ database, pets, damaged, reportDamage, observer })
  const count = makePetCounting(counts, damaged, observer)
  const findByIdempotencyKey = makeIdempotencyKeyReading({ pets, reportDamage, observer })

  /** An id that the pet did not get is closed at once, because readers of the log would wait for it. */
  const add = async (record: PetRecord): Promise<E.Either<Unavailable, Added>> => {
    const { id } = record.event.pet
    const isDrawn = unusedIds.use(id)
    const added = await run(() => insert(record))()
    if (isDrawn && (E.isLeft(added) || added.right._tag === 'KeyTaken')) unusedIds.close(id)
    return added
  }

  return {
    storage,
    add: (record) => () => add(record),
    findByIdempotencyKey: (key, at) => run(() => findByIdempotencyKey(key, at)),
    findById: (id) => run(() => findById(id)),
    findPage: (query) => run(() => findPage(query)),
    count: (filter) => run(() => count(filter), COUNT_TIMEOUT_MS),
  }
}

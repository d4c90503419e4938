// Pets in a MongoDB collection, one document each.
import * as E from 'fp-ts/lib/Either.js'
import type { Unavailable } from '../../../domain/errors.js'
import type { Added, PetRecord } from '../../../domain/pets/decide-add.js'
import type { PetRepository } from '../../../ports/pet-repository.js'
import type { Lane } from '../batching/batch.js'
import type { LazyDatabase } from '../connection/client.js'
import type { StoreContext } from '../connection/connection.js'
import type { IdCounter } from '../id-counter.js'
import type { UnusedIds } from '../id-generator.js'
import { COUNT_TIMEOUT_MS, makePetCounting } from './pet-filter.js'
import { makeFindByIdempotencyKey, makePetInsertion } from './pet-insertion.js'
import { makePetReading } from './pet-reading.js'

export interface PetRepositorySettings {
  /** The database connection for exact counts. */
  readonly counts: Pick<LazyDatabase, 'open'>
  readonly counter: Pick<IdCounter, 'raiseAboveStoredIds'>
  readonly unusedIds: Pick<UnusedIds, 'use' | 'close'>
  readonly inserts: Lane
}

export const makeMongoPetRepository = (
  context: StoreContext,
  { counts, counter, unusedIds, inserts }: PetRepositorySettings,
): PetRepository => {
  const { run, storage } = context
  const damaged = new Set<bigint>()
  const insert = makePetInsertion(context, counter, inserts)
  const { findById, findPage } = makePetReading(context, damaged)
  const count = makePetCounting(context, counts, damaged)
  const findByIdempotencyKey = makeFindByIdempotencyKey(context)

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

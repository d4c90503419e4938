// Exact counts. They scan an index, so they run on separate connections, two at once per process.
import type { PetFilter } from '../../../domain/pets/pet-query.js'
import { type BatchObserver, observeCalls } from '../batching/observe-calls.js'
import { shareEqual } from '../batching/share-equal.js'
import type { LazyDatabase } from '../connection/lazy-database.js'
import type { PetDocument } from '../documents/pet-document.js'
import { PETS } from '../schema/collections.js'
import { filterKey, matching } from './pet-filter.js'

/** The database, too, cancels a count after this time. */
export const COUNT_TIMEOUT_MS = 3_500

export const makePetCounting = (
  { open }: Pick<LazyDatabase, 'open'>,
  observer: BatchObserver,
): ((filter: PetFilter) => Promise<number>) =>
  shareEqual(
    filterKey,
    async (filter, remainingMs) => {
      const pets = (await open()).collection<PetDocument>(PETS)
      return pets.countDocuments(matching(filter), { maxTimeMS: Math.max(1, Math.ceil(remainingMs)) })
    },
    {
      concurrency: 2,
      concurrencyPerKey: 1,
      timeoutMs: COUNT_TIMEOUT_MS,
      observe: observeCalls(observer, 'pets.count'),
    },
  )

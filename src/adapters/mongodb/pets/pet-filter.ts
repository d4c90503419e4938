// Filters as MongoDB queries, exact counts, and the documents that no request can reach.
import * as O from 'fp-ts/lib/Option.js'
import type { Collection, Db, Document, Filter } from 'mongodb'
import { MAX_PET_ID } from '../../../domain/pets/pet.js'
import { ALL_PETS, filterKey, type PetFilter } from '../../../domain/pets/pet-query.js'
import type { Damage } from '../../../ports/notice.js'
import { dedupe } from '../batch.js'
import type { Database, StoreContext } from '../connection/connection.js'
import { idText, NOT_VOID, PET_IDS, type PetDocument, petsIn, VOIDS } from '../documents.js'

/** Documents that match the filter with a smaller id. */
export const matching = ({ status, ids }: PetFilter, before: O.Option<bigint> = O.none): Filter<PetDocument> => {
  const bound = O.isSome(before) ? { ...PET_IDS, $lt: before.value } : PET_IDS
  // a new member of the filter does not compile until it is here
  const conditions: Readonly<Record<keyof PetFilter, Filter<PetDocument>>> = {
    ids: { _id: O.isSome(ids) ? { ...bound, $in: [...ids.value] } : bound },
    // a void has no status
    status: O.isSome(status) ? { status: status.value } : NOT_VOID,
  }
  const all: Filter<PetDocument> = {}
  for (const condition of Object.values(conditions)) Object.assign(all, condition)
  return all
}

const ALL_KEY = filterKey(ALL_PETS)

/** Whether a document is a void is not in the index of ids, so the voids are counted in theirs and subtracted. */
const countAll = async (pets: Collection<PetDocument>, options: { readonly maxTimeMS: number }): Promise<number> => {
  const counting = (name: string, filter: Filter<PetDocument>): Document[] => [
    { $match: filter },
    { $group: { _id: name, count: { $sum: 1 } } },
  ]
  const union = (pipeline: Document[]) => ({ $unionWith: { coll: pets.collectionName, pipeline } })
  const pipeline = [
    ...counting('before', VOIDS),
    union(counting('all', { _id: PET_IDS })),
    union(counting('after', VOIDS)),
  ]
  const found = await pets.aggregate<{ readonly _id: string; readonly count: number }>(pipeline, options).toArray()
  const of = (name: string): number => found.find(({ _id }) => _id === name)?.count ?? 0
  // voids were added meanwhile, before or after their ids were counted
  if (of('before') !== of('after')) return countAll(pets, options)
  return of('all') - of('after')
}

/**
 * Exact counts. They scan an index, so they run on separate connections, two at once per process. `damaged`: the ids of damaged pets
 * that this process has met.
 */
export const makePetCounting = (
  { batching, deadlines }: Pick<StoreContext, 'batching' | 'deadlines'>,
  { open }: Pick<Database, 'open'>,
  damaged: ReadonlySet<bigint>,
): ((filter: PetFilter) => Promise<number>) => {
  const count = async (filter: PetFilter, remainingMs: number): Promise<number> => {
    const pets = petsIn(await open())
    const options = { maxTimeMS: Math.max(1, Math.ceil(remainingMs)) }
    const all = await (filterKey(filter) === ALL_KEY
      ? countAll(pets, options)
      : pets.countDocuments(matching(filter), options))
    if (damaged.size === 0) return all
    const unreadable = { $and: [matching(filter), { _id: { $in: [...damaged] } }] }
    return all - (await pets.countDocuments(unreadable, options))
  }
  return dedupe(filterKey, count, { concurrency: 2, ...batching('pets.count'), timeoutMs: deadlines.countMs })
}

/** Two ranges of the index of ids, also of those that are not numbers: `$lt` would compare only numbers. */
const UNREACHABLE: Filter<PetDocument> = {
  $or: [{ _id: { $not: { $gte: PET_IDS.$gte } } }, { _id: { $gt: PET_IDS.$lte } }],
}

const unreachable = ({ _id }: { readonly _id: unknown }): Damage => {
  const id = typeof _id === 'string' ? JSON.stringify(_id) : idText(_id)
  return { record: 'pet', id, reason: `/_id: must be an integer from 1 to ${MAX_PET_ID}` }
}

/** The documents whose ids are not those of pets. `limit`: of how many; 0 for all. */
export const unreachablePets = async (database: Db, limit = 0): Promise<readonly Damage[]> => {
  const documents = petsIn(database).find(UNREACHABLE, { projection: { _id: 1 }, limit })
  return (await documents.toArray()).map(unreachable)
}

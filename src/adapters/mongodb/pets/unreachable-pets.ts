// Documents in the collection of pets that no request can reach, because their ids are not those of pets.
import type { Db, Filter } from 'mongodb'
import { MAX_PET_ID } from '../../../domain/pets/pet.js'
import type { Damage } from '../../../ports/notice.js'
import { PET_IDS, type PetDocument, petsIn } from '../documents/pet-document.js'

/** Two ranges of the index of ids, also of those that are not numbers: `$lt` would compare only numbers. */
const UNREACHABLE: Filter<PetDocument> = {
  $or: [{ _id: { $not: { $gte: PET_IDS.$gte } } }, { _id: { $gt: PET_IDS.$lte } }],
}

const damageOf = ({ _id }: { readonly _id: unknown }): Damage => {
  const id = typeof _id === 'string' ? JSON.stringify(_id) : String(_id)
  return { record: 'pet', id, reason: `/_id: must be an integer from 1 to ${MAX_PET_ID}` }
}

/** `limit`: of how many; 0 for all. */
export const unreachablePets = async (database: Db, limit = 0): Promise<readonly Damage[]> => {
  const documents = await petsIn(database)
    .find(UNREACHABLE, { projection: { _id: 1 }, limit })
    .toArray()
  return documents.map(damageOf)
}

// Ids from a plain counter.
import * as E from 'fp-ts/lib/Either.js'
import { unavailable } from '../../domain/errors.js'
import { MAX_PET_ID } from '../../domain/pets/pet.js'
import type { IdGenerator } from '../../ports/id-generator.js'
import type { PetRecords } from './pet-records.js'

export const makeMemoryIdGenerator = (records: PetRecords): IdGenerator => ({
  storage: records.storage,
  next: () => {
    // pets may have been added with ids that were not drawn here
    const last = records.all.lastId()
    if (last > records.lastDrawn) records.lastDrawn = last
    if (records.lastDrawn >= MAX_PET_ID) {
      return Promise.resolve(E.left(unavailable(new Error('there are no more ids'))))
    }
    records.lastDrawn += 1n
    return Promise.resolve(E.right(records.lastDrawn))
  },
})

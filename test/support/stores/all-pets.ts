import * as O from 'fp-ts/lib/Option.js'
import { expect } from 'vitest'
import type { Pet } from '../../../src/domain/pets/pet.js'
import { ALL_PETS, MAX_LIMIT } from '../../../src/domain/pets/pet-query.js'
import type { Store } from '../../../src/ports/store.js'
import { succeed } from '../../../src/testing/samples.js'

/** Newest first. A cursor that does not advance fails here instead of looping forever. */
export const allPets = async ({ pets }: Pick<Store, 'pets'>): Promise<readonly Pet[]> => {
  const found: Pet[] = []
  let before: O.Option<bigint> = O.none
  do {
    const page = await succeed(pets.findPage({ ...ALL_PETS, limit: MAX_LIMIT, before }))
    const [first] = page.pets
    expect(O.isNone(before) || (first !== undefined && first.id < before.value), 'the walk advances').toBe(true)
    found.push(...page.pets)
    before = page.next
  } while (O.isSome(before))
  return found
}

// Inputs for the tests of addPet, and checks of its effects.
import * as O from 'fp-ts/lib/Option.js'
import type { AddPetInput } from '../../../src/domain/pets/add-pet.js'
import type { NewPet } from '../../../src/domain/pets/pet.js'
import { ALL_PETS } from '../../../src/domain/pets/pet-query.js'
import { anyPet, succeed } from '../../../src/testing/samples.js'
import type { World } from './domain-world.js'

export const rex: NewPet = { ...anyPet, status: 'available' }

export const once = (sent: unknown): AddPetInput => ({ newPet: sent, idempotencyKey: O.none })

export const under = (key: string, sent: unknown = rex, lineage = 'caller'): AddPetInput => ({
  newPet: sent,
  idempotencyKey: O.some({ lineage, key }),
})

export const countAll = ({ pets }: World) => succeed(pets.count(ALL_PETS))

import { describe, expect, it } from 'vitest'
import { MAX_INT64, MIN_INT64 } from '../../../src/domain/codecs/scalar.js'
import { addPet } from '../../../src/domain/pets/add-pet.js'
import { getPet } from '../../../src/domain/pets/find-pets.js'
import { anyPet, fail, succeed } from '../../../src/testing/samples.js'
import { once } from '../../support/domain/add-pet-input.js'
import { makeWorld } from '../../support/domain/domain-world.js'
import { failingPets, outage } from '../../support/domain/failing-ports.js'

describe('getPet', () => {
  it('finds a pet by its id', async () => {
    const world = makeWorld()
    const { pet } = await succeed(addPet(world)(once(anyPet)))
    expect(await succeed(getPet(world)(pet.id))).toStrictEqual(pet)
  })

  it.each([0n, 1n, -1n, MIN_INT64, MAX_INT64])('finds no pet with the id %s', async (id) => {
    expect(await fail(getPet(makeWorld())(id))).toMatchObject({ _tag: 'PetNotFound' })
  })

  it.each([MAX_INT64 + 1n, MIN_INT64 - 1n])('does not ask the store for %s, which is not an int64', async (id) => {
    expect(await fail(getPet({ pets: failingPets })(id))).toStrictEqual({ _tag: 'PetNotFound' })
  })

  it('reports an outage', async () => {
    expect(await fail(getPet({ pets: failingPets })(1n))).toBe(outage)
  })
})

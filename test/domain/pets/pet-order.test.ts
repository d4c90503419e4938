import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pet } from '../../../src/domain/pets/pet.js'
import { eqPet, ordPet } from '../../../src/domain/pets/pet-order.js'
import { pet } from '../../../src/testing/arbitraries.js'
import { numbered } from '../../../src/testing/contracts/pet-samples.js'

const rex = numbered(1)
const others: readonly Pet[] = [
  { ...rex, id: 2n },
  { ...rex, name: 'Rey' },
  { ...rex, categoryId: 8n },
  { ...rex, status: 'sold' },
]

describe('eqPet', () => {
  it('holds for pets that are equal in every member, and for no others', () => {
    expect(eqPet.equals(rex, { ...rex })).toBe(true)
    for (const other of others) expect(eqPet.equals(rex, other)).toBe(false)
  })
})

describe('ordPet', () => {
  it.each(others)('sorts %o after the first pet', (other) => {
    expect([ordPet.compare(rex, other), ordPet.compare(other, rex)]).toStrictEqual([-1, 1])
  })

  it('sorts by ids first', () => {
    fc.assert(
      fc.property(fc.array(pet()), (pets) => {
        const ids = [...pets].sort(ordPet.compare).map(({ id }) => id)
        expect(ids).toStrictEqual(ids.toSorted((one, other) => (one < other ? -1 : Number(one > other))))
      }),
    )
  })

  it('is total, and calls equal what eqPet calls equal', () => {
    const near = () =>
      fc.record({ id: fc.bigInt(1n, 2n), name: fc.constantFrom('a', 'b'), categoryId: fc.bigInt(1n, 2n) })
    fc.assert(
      fc.property(near(), near(), near(), (one, two, three) => {
        expect(ordPet.compare(one, two) === 0).toBe(eqPet.equals(one, two))
        expect(ordPet.equals(one, two)).toBe(eqPet.equals(one, two))
        expect(ordPet.compare(one, two) + ordPet.compare(two, one)).toBe(0)
        if (ordPet.compare(one, two) <= 0 && ordPet.compare(two, three) <= 0) {
          expect(ordPet.compare(one, three)).toBeLessThanOrEqual(0)
        }
      }),
    )
  })
})

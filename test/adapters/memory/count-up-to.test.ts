import { expect, it } from 'vitest'
import { countUpTo } from '../../../src/adapters/memory/pet-repository.js'
import type { Pet } from '../../../src/domain/pets/pet.js'
import { numbered } from '../../../src/testing/samples.js'

/** Pets with these ids, and the number of pets that were looked at. */
const watched = (ids: readonly number[]) => {
  const state = { looks: 0 }
  const pets = ids.map((id) => numbered(id))
  const all: Pet[] = new Proxy(pets, {
    get: (target, name): unknown => {
      if (typeof name === 'string' && /^\d+$/.test(name)) state.looks += 1
      return Reflect.get(target, name)
    },
  })
  return { all, state }
}

it.each<[bigint, readonly number[], number]>([
  [5n, [], 0],
  [0n, [1, 2, 3], 0],
  [1n, [1, 2, 3], 1],
  [2n, [1, 2, 3], 2],
  [3n, [1, 2, 3], 3],
  [9n, [1, 2, 3], 3],
  [4n, [2, 4, 8, 16], 2],
  [7n, [2, 4, 8, 16], 2],
])('up to %d, of the ids %j: %d', (id, ids, count) => {
  expect(countUpTo(id, watched(ids))).toBe(count)
})

it('looks at 13 of 5,000 pets at most', () => {
  const ids = Array.from({ length: 5_000 }, (_, at) => at + 1)
  for (const id of [0, 1, 2_500, 4_999, 5_000]) {
    const { all, state } = watched(ids)
    expect(countUpTo(BigInt(id), { all })).toBe(id)
    expect(state.looks).toBeLessThanOrEqual(13)
  }
})

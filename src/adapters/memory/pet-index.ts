// Pets ordered by id: a page takes one binary search and a slice.
import * as O from 'fp-ts/lib/Option.js'
import type { Pet } from '../../domain/pets/pet.js'

export interface PetIndex {
  readonly add: (pet: Pet) => void
  /** The newest pets with a smaller id than `before`, by id descending. */
  readonly newest: (count: number, before: O.Option<bigint>) => readonly Pet[]
  readonly size: () => number
}

export const makePetIndex = (): PetIndex => {
  const ascending: Pet[] = []

  /** Number of pets with a smaller id. */
  const rank = (id: bigint): number => {
    let low = 0
    let high = ascending.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const pet = ascending[middle]
      if (pet !== undefined && pet.id < id) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    add: (pet) => {
      const last = ascending.at(-1)
      // ids arrive in order, except that concurrent creates may be a few places off
      if (last === undefined || last.id < pet.id) ascending.push(pet)
      else ascending.splice(rank(pet.id), 0, pet)
    },
    newest: (count, before) => {
      const end = O.isSome(before) ? rank(before.value) : ascending.length
      return ascending.slice(Math.max(0, end - count), end).reverse()
    },
    size: () => ascending.length,
  }
}

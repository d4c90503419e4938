// The pets in memory, ordered by id: a page takes one binary search and a slice.
import * as O from 'fp-ts/lib/Option.js'
import type { PetCreated } from '../../domain/events/domain-event.js'
import type { Pet } from '../../domain/pets/pet.js'
import type { OfStorage } from '../../ports/storage.js'

export interface PetIndex {
  /** Adds a pet with a greater id than all others. */
  readonly add: (pet: Pet) => void
  /** The newest pets with a smaller id than `before`, by id descending. */
  readonly newest: (count: number, before: O.Option<bigint>) => readonly Pet[]
  /** The oldest pets with a greater id than `after`, by id ascending. */
  readonly oldest: (count: number, after: bigint) => readonly Pet[]
  /** The greatest id; 0 if there is no pet. */
  readonly lastId: () => bigint
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
    add: (pet) => void ascending.push(pet),
    newest: (count, before) => {
      const end = O.isSome(before) ? rank(before.value) : ascending.length
      return ascending.slice(Math.max(0, end - count), end).reverse()
    },
    oldest: (count, after) => {
      const start = rank(after + 1n)
      return ascending.slice(start, start + count)
    },
    lastId: () => ascending.at(-1)?.id ?? 0n,
    size: () => ascending.length,
  }
}

/** The records that the ports of one store share. */
export interface PetRecords extends OfStorage {
  /** Keyed by number, since ids are at most 2^53-1: a bigint key is ten times slower. */
  readonly events: Map<number, PetCreated>
  /** The pets of these events. */
  readonly all: PetIndex
  /** The last id that was drawn. */
  lastDrawn: bigint
}

export const makePetRecords = (lastDrawn = 0n): PetRecords => ({
  storage: Symbol('memory'),
  events: new Map(),
  all: makePetIndex(),
  lastDrawn,
})

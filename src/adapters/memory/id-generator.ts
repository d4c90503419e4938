// Ids from a plain counter.
import * as E from 'fp-ts/lib/Either.js'
import { unavailable } from '../../domain/errors.js'
import { MAX_PET_ID } from '../../domain/pets/pet.js'
import type { IdGenerator } from '../../ports/id-generator.js'

/** A generator that continues after `last`. */
export const makeMemoryIdGenerator = (last = 0n): IdGenerator => {
  let current = last
  return {
    next: () => {
      if (current >= MAX_PET_ID) return Promise.resolve(E.left(unavailable(new Error('there are no more ids'))))
      current += 1n
      return Promise.resolve(E.right(current))
    },
  }
}

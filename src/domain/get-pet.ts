// Finds one pet by its id.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../ports/index.js'
import type { PetNotFound, Unavailable } from './errors.js'
import type { Pet } from './pet.js'

export type GetPet = (id: bigint) => TaskEither<PetNotFound | Unavailable, Pet>

/**
 * Finds a pet by any int64; `PetNotFound` if no pet has it (openapi.yaml: getPet).
 *
 * @example
 * const ports = { ...makeMemoryStore({ isRelayed: false }), clock: systemClock, crypto: nodeCrypto }
 * await getPet(ports)(7n)() // => E.left({ _tag: 'PetNotFound' })
 */
export const getPet =
  (ports: Pick<Ports, 'pets'>): GetPet =>
  (id) =>
  async () => {
    const found = await ports.pets.findById(id)()
    if (E.isLeft(found)) return found
    return O.isSome(found.right) ? E.right(found.right.value) : E.left({ _tag: 'PetNotFound' })
  }

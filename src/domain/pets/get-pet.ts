// Finds one pet by its id.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.js'
import { Int64 } from '../codecs/int64.js'
import type { PetNotFound, Unavailable } from '../errors.js'
import type { Pet, PetId } from './pet.js'

const NOT_FOUND: E.Either<PetNotFound, never> = E.left({ _tag: 'PetNotFound' })

export type GetPet = (id: PetId) => TaskEither<PetNotFound | Unavailable, Pet>

/**
 * Finds a pet by its id; `PetNotFound` if no pet has it, or if it is not an int64 (openapi.yaml: getPet).
 *
 * @example
 * const ports = { ...makeMemoryStore(), clock: systemClock, crypto: nodeCrypto }
 * await getPet(ports)(7n)() // => E.left({ _tag: 'PetNotFound' })
 */
export const getPet =
  (ports: Pick<Ports, 'pets'>): GetPet =>
  (id) =>
  async () => {
    if (!Int64.is(id)) return NOT_FOUND
    const found = await ports.pets.findById(id)()
    if (E.isLeft(found)) return found
    return O.isSome(found.right) ? E.right(found.right.value) : NOT_FOUND
  }

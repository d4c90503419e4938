// Adds a pet: validated, numbered and stored together with its event; a retry under the same idempotency key adds nothing.
// Written as steps, not as a pipe: built in each request, a pipe of TaskEithers costs six times the work itself.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../ports/index.js'
import type { PetRecord } from '../ports/pet-repository.js'
import type { IdempotencyKeyReused, Unavailable, ValidationFailed } from './errors.js'
import { isMadeFrom, NewPet, type Pet, petFrom } from './pet.js'
import { faultsOf } from './struct.js'

/** Milliseconds for which an idempotency key is kept: 24 hours. */
const IDEMPOTENCY_RETENTION = 86_400_000

/** Under which key, and whose, a request may be repeated without adding another pet. */
export interface Retry {
  readonly apiKeyId: string
  readonly key: string
}

export interface AddPetInput {
  /** Anything; only a NewPet is accepted. */
  readonly newPet: unknown
  readonly retry: O.Option<Retry>
}

export interface PetAdded {
  readonly pet: Pet
  /** True if this is the answer of an earlier request again, and nothing was added. */
  readonly replayed: boolean
}

export type AddPet = (input: AddPetInput) => TaskEither<ValidationFailed | IdempotencyKeyReused | Unavailable, PetAdded>

/**
 * Validates, numbers and stores a pet. `ValidationFailed` names every fault of the input; `IdempotencyKeyReused` if the
 * retry's key was used for another NewPet within 24 hours (contract: POST /pets; where it is silent: safe retries).
 *
 * @example
 * const ports = { ...makeMemoryStore({ isRelayed: false }), clock: systemClock, crypto: nodeCrypto }
 * const outcome = await addPet(ports)({ newPet: { name: 'Rex', categoryId: 7 }, retry: O.none })()
 * outcome // => E.right({ pet: { id: 1n, name: 'Rex', categoryId: 7n }, replayed: false })
 */
export const addPet = (ports: Pick<Ports, 'pets' | 'ids' | 'clock' | 'crypto'>): AddPet => {
  const recordOf = (pet: Pet, retry: O.Option<Retry>): PetRecord => {
    const time = ports.clock.now()
    return {
      event: { eventId: ports.crypto.uuid(), time, pet },
      idempotency: O.isSome(retry) ? O.some({ ...retry.value, expiresAt: time + IDEMPOTENCY_RETENTION }) : O.none,
    }
  }

  return (input) => async () => {
    const newPet = NewPet.decode(input.newPet)
    if (E.isLeft(newPet)) return E.left({ _tag: 'ValidationFailed', faults: faultsOf(newPet.left) })
    const id = await ports.ids.next()
    if (E.isLeft(id)) return id
    const pet = petFrom(id.right, newPet.right)
    const added = await ports.pets.add(recordOf(pet, input.retry))()
    if (E.isLeft(added)) return added
    if (added.right._tag === 'Added') return E.right({ pet, replayed: false })
    const first = added.right.by
    return isMadeFrom(first, newPet.right)
      ? E.right({ pet: first, replayed: true })
      : E.left({ _tag: 'IdempotencyKeyReused' })
  }
}

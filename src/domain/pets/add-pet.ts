// Adds a pet: validates it, gives it an id, and stores it with its event. A retry with the same key adds nothing.
// Statements, because building a pipe of TaskEithers per request takes six times as long as the work itself.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.js'
import type { PetRepository } from '../../ports/pet-repository.js'
import { PrintableText } from '../codecs/scalar.js'
import { faultsOf, inputFaults, optionOf, struct } from '../codecs/struct.js'
import type { IdempotencyKeyReused, Unavailable, ValidationFailed } from '../errors.js'
import { TraceParent } from '../events/domain-event.js'
import type { IdempotencyKey, PetRecord } from './decide-add.js'
import { isMadeFrom, NewPet, type Pet, petFrom } from './pet.js'

/** Milliseconds for which a pet holds its idempotency key: 24 hours. */
export const IDEMPOTENCY_RETENTION_MS = 86_400_000

/** Minimum time for which stores keep expired keys, in milliseconds: a clock ahead must not make retries add pets. */
export const KEPT_AFTER_EXPIRY_MS = 86_400_000

export interface AddPetInput {
  /** Validated: any value may be passed. */
  readonly newPet: unknown
  /** Retries with the same key add no second pet. Key and lineage have 1 to 255 printable ASCII characters each. */
  readonly idempotencyKey: O.Option<IdempotencyKey>
  /** The trace of the request: a traceparent of version 00, stored in the event. */
  readonly traceparent?: string | undefined
}

export interface PetAdded {
  readonly pet: Pet
  /** True if an earlier request added the pet, and this one added nothing. */
  readonly replayed: boolean
}

export type AddPet = (input: AddPetInput) => TaskEither<ValidationFailed | IdempotencyKeyReused | Unavailable, PetAdded>

const faultsBeside = inputFaults<Pick<AddPetInput, 'idempotencyKey'> & { readonly traceparent: O.Option<string> }>({
  idempotencyKey: optionOf(struct('IdempotencyKey', { lineage: PrintableText, key: PrintableText })),
  traceparent: optionOf(TraceParent),
})

const decodeInput = ({ newPet, idempotencyKey, traceparent }: AddPetInput): E.Either<ValidationFailed, NewPet> => {
  const decoded = NewPet.decode(newPet)
  const faults = faultsBeside({ idempotencyKey, traceparent: O.fromNullable(traceparent) })
  if (E.isRight(decoded) && faults.length === 0) return decoded
  return E.left({ _tag: 'ValidationFailed', faults: [...(E.isLeft(decoded) ? faultsOf(decoded.left) : []), ...faults] })
}

/**
 * Validates and stores a pet under a new id. `ValidationFailed` names every fault; `IdempotencyKeyReused` if the
 * idempotency key was used for another NewPet within 24 hours.
 *
 * @example
 * const ports = { ...makeMemoryStore(), clock: systemClock, crypto: nodeCrypto }
 * const added = await addPet(ports)({ newPet: { name: 'Rex', categoryId: 7 }, idempotencyKey: O.none })()
 * added // => E.right({ pet: { id: 1n, name: 'Rex', categoryId: 7n }, replayed: false })
 */
export const addPet = (ports: Pick<Ports, 'pets' | 'ids' | 'clock' | 'crypto'>): AddPet => {
  const recordOf = (pet: Pet, { idempotencyKey: key, traceparent }: AddPetInput): PetRecord => {
    const time = ports.clock.now()
    const event = { _tag: 'PetCreated', eventId: ports.crypto.uuid(), time, pet } as const
    return {
      event: traceparent === undefined ? event : { ...event, traceparent },
      idempotencyKey: O.isSome(key) ? O.some({ ...key.value, expiresAt: time + IDEMPOTENCY_RETENTION_MS }) : O.none,
    }
  }

  const replay = (first: Pet, newPet: NewPet): E.Either<IdempotencyKeyReused, PetAdded> =>
    isMadeFrom(first, newPet) ? E.right({ pet: first, replayed: true }) : E.left({ _tag: 'IdempotencyKeyReused' })

  return (input) => async () => {
    const newPet = decodeInput(input)
    if (E.isLeft(newPet)) return newPet
    if (O.isSome(input.idempotencyKey)) {
      const first = await ports.pets.findByIdempotencyKey(input.idempotencyKey.value, ports.clock.now())()
      if (E.isLeft(first)) return first
      if (O.isSome(first.right)) return replay(first.right.value, newPet.right)
    }
    const id = await ports.ids.next()
    if (E.isLeft(id)) return id
    const added = await ports.pets.add(recordOf(petFrom(id.right, newPet.right), input))()
    if (E.isLeft(added)) return added
    // if retries race, the store lets only one of them add its pet
    if (added.right._tag === 'KeyTaken') return replay(added.right.by, newPet.right)
    return E.right({ pet: petFrom(added.right.id, newPet.right), replayed: false })
  }
}

/** A reader of the log, such as a relay. */
export interface LogReader {
  /** Called after each create, so that the reader need not wait for its next poll. */
  readonly added: () => void
}

/** Decorates the repository: notifies readers of the log. */
export const onAdded = (pets: PetRepository, ...readers: readonly LogReader[]): PetRepository => ({
  ...pets,
  add: (record) => async () => {
    const added = await pets.add(record)()
    if (E.isRight(added) && added.right._tag === 'Added') for (const reader of readers) reader.added()
    return added
  },
})

// Adds a pet: validated, numbered and stored together with its event; a retry under the same idempotency key adds nothing.
import * as E from 'fp-ts/lib/Either.js'
import { flow, pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../ports/index.js'
import type { PetRecord } from '../ports/pet-repository.js'
import type { IdempotencyKeyReused, Unavailable, ValidationFailed } from './errors.js'
import { isMadeFrom, NewPet, type Pet, petFrom } from './pet.js'
import { faultsOf } from './struct.js'

/** Milliseconds for which an idempotency key is kept: 24 hours. */
export const IDEMPOTENCY_RETENTION = 86_400_000

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

export type AddPet = (
  input: AddPetInput,
) => TE.TaskEither<ValidationFailed | IdempotencyKeyReused | Unavailable, PetAdded>

interface ValidInput {
  readonly newPet: NewPet
  readonly retry: O.Option<Retry>
}

const validate = (input: AddPetInput): E.Either<ValidationFailed, ValidInput> =>
  pipe(
    NewPet.decode(input.newPet),
    E.bimap(
      (errors) => ({ _tag: 'ValidationFailed', faults: faultsOf(errors) }),
      (newPet) => ({ newPet, retry: input.retry }),
    ),
  )

export const addPet = (ports: Pick<Ports, 'pets' | 'ids' | 'clock' | 'crypto'>): AddPet => {
  const recordOf = ({ newPet, retry }: ValidInput, id: bigint): PetRecord => {
    const time = ports.clock.now()
    return {
      event: { eventId: ports.crypto.uuid(), time, pet: petFrom(id, newPet) },
      idempotency: pipe(
        retry,
        O.map((used) => ({ ...used, expiresAt: time + IDEMPOTENCY_RETENTION })),
      ),
    }
  }

  const store = ({ newPet, record }: { newPet: NewPet; record: PetRecord }) =>
    pipe(
      ports.pets.add(record),
      TE.flatMapEither((added): E.Either<IdempotencyKeyReused, PetAdded> => {
        if (added._tag === 'Added') return E.right({ pet: record.event.pet, replayed: false })
        return isMadeFrom(added.by, newPet)
          ? E.right({ pet: added.by, replayed: true })
          : E.left({ _tag: 'IdempotencyKeyReused' })
      }),
    )

  return flow(
    validate,
    TE.fromEither,
    TE.flatMap((input) =>
      pipe(
        ports.ids.next,
        TE.map((id) => ({ newPet: input.newPet, record: recordOf(input, id) })),
      ),
    ),
    TE.flatMap(store),
  )
}

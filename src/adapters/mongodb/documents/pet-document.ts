// The stored form of a pet with everything that is committed with it: event and idempotency key.
import * as E from 'fp-ts/lib/Either.js'
import { flow, pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Collection, Db } from 'mongodb'
import { Text } from '../../../domain/codecs/guarded.js'
import { struct } from '../../../domain/codecs/struct.js'
import { type PetCreated, TraceParent } from '../../../domain/events/domain-event.js'
import type { HeldIdempotencyKey, Hold, PetRecord } from '../../../domain/pets/decide-add.js'
import {
  MAX_PET_ID,
  type NewPet,
  OPTIONAL_MEMBERS,
  type Pet,
  PetId,
  REQUIRED_MEMBERS,
} from '../../../domain/pets/pet.js'
import type { Damage } from '../../../ports/notice.js'
import { decodeAs, StoredCount, StoredInstant } from './decoding.js'

/** The member with the lineage of the caller's API key, by the name that it has in stored documents. */
export const LINEAGE = 'apiKeyId'
export const LINEAGE_PATH = `idempotency.${LINEAGE}` as const

/** Unique by caller, key and turn, so that only one create can take over an expired key, and older pets never change. */
export interface StoredIdempotencyKey {
  readonly [LINEAGE]: string
  readonly key: string
  /** Number of earlier pets that held this key until it expired. */
  readonly turn: number
  readonly expiresAt: Date
}

export interface PetDocument extends NewPet {
  readonly _id: bigint
  readonly event: { readonly id: string; readonly time: Date; readonly traceparent?: string }
  readonly idempotency?: StoredIdempotencyKey
}

export const PETS = 'pets'

/** The ids that pets may have: every reader looks only at these. */
export const PET_IDS = { $gte: 1n, $lte: MAX_PET_ID } as const

export const petsIn = (database: Db): Collection<PetDocument> => database.collection(PETS)

/** The document of a new pet. `turn`: that of its idempotency key. */
export const petDocument = ({ event, idempotencyKey }: PetRecord, turn = 0): PetDocument => {
  const { id, ...pet } = event.pet
  const time = StoredInstant.encode(event.time)
  return {
    _id: id,
    ...pet,
    event: { id: event.eventId, time, ...(event.traceparent !== undefined && { traceparent: event.traceparent }) },
    ...(O.isSome(idempotencyKey) && {
      idempotency: {
        [LINEAGE]: idempotencyKey.value.lineage,
        key: idempotencyKey.value.key,
        turn,
        expiresAt: StoredInstant.encode(idempotencyKey.value.expiresAt),
      },
    }),
  }
}

const StoredPet = struct('StoredPet', { _id: PetId, ...REQUIRED_MEMBERS }, OPTIONAL_MEMBERS)
const StoredEvent = struct('Event', { id: Text, time: StoredInstant }, { traceparent: TraceParent })
const StoredHold = struct('Idempotency', { turn: StoredCount, expiresAt: StoredInstant }, {})
const StoredKey = struct('Idempotency', { [LINEAGE]: Text, key: Text, expiresAt: StoredInstant }, {})

/** The members that `decodePet` reads. */
export const PET_MEMBERS = { name: 1, categoryId: 1, status: 1 } as const satisfies Record<keyof NewPet, 1>

/** The members that `decodePet` and `decodeHold` read. */
export const HOLDER_MEMBERS = { ...PET_MEMBERS, idempotency: 1 } as const

/** The members that `decodeEvent` reads. */
export const EVENT_MEMBERS = { ...PET_MEMBERS, event: 1 } as const

/** Decodes the pet of a document, whichever program wrote it; drops unknown members. */
export const decodePet: (document: unknown) => E.Either<Damage, Pet> = flow(
  decodeAs('pet', StoredPet),
  E.map(({ _id, ...pet }) => ({ id: _id, ...pet })),
)

const decodeStoredEvent = decodeAs('pet', struct('StoredEvent', { event: StoredEvent }, {}))

/** Decodes the event of a document. */
export const decodeEvent = (document: unknown): E.Either<Damage, PetCreated> => {
  const pet = decodePet(document)
  if (E.isLeft(pet)) return pet
  return pipe(
    decodeStoredEvent(document),
    E.map(({ event: { id: eventId, ...event } }) => ({ _tag: 'PetCreated', eventId, ...event, pet: pet.right })),
  )
}

export interface StoredHold extends Hold {
  readonly turn: number
}

/** Decodes how long a document holds its idempotency key, and how many others held it before. */
export const decodeHold: (document: unknown) => E.Either<Damage, StoredHold> = flow(
  decodeAs('pet', struct('StoredHolder', { idempotency: StoredHold }, {})),
  E.map(({ idempotency }) => idempotency),
)

/** Decodes the idempotency key that a document holds, expired or not. */
export const decodeHeldKey: (document: unknown) => E.Either<Damage, HeldIdempotencyKey> = flow(
  decodeAs('idempotency key', struct('StoredHolder', { idempotency: StoredKey }, {})),
  E.map(({ idempotency: { [LINEAGE]: lineage, ...held } }) => ({ lineage, ...held })),
)

/** The lineage of no API key. */
const VOID_HOLDER = '(void)'

/** Finds the voids in the index of idempotency keys, so that they need no index of their own. */
export const VOIDS = { [LINEAGE_PATH]: VOID_HOLDER, 'idempotency.key': { $exists: true } } as const
export const NOT_VOID = { [LINEAGE_PATH]: { $ne: VOID_HOLDER } } as const

const VOID_CATEGORY = -(2n ** 63n)
const NEVER = new Date(0)

/**
 * A void closes an id that no pet will get. Earlier versions accept it, and decode no pet from it. It has no status, so that the
 * index of statuses does not contain it.
 */
export const voidDocument = (id: bigint): PetDocument => ({
  _id: id,
  name: '',
  categoryId: VOID_CATEGORY,
  event: { id: `void ${id}`, time: NEVER },
  idempotency: { [LINEAGE]: VOID_HOLDER, key: String(id), turn: 0, expiresAt: NEVER },
})

/** Whether a document is a void, by the members of its pet: no pet has an empty name. */
export const isVoid = ({ name, categoryId }: Pick<PetDocument, 'name' | 'categoryId'>): boolean =>
  name === '' && categoryId === VOID_CATEGORY

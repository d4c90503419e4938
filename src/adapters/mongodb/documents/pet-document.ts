// The stored form of a pet with everything that is committed with it: event and idempotency key.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { Text } from '../../../domain/codecs/guarded.js'
import { Int64 } from '../../../domain/codecs/int64.js'
import { struct } from '../../../domain/codecs/struct.js'
import type { PetCreated } from '../../../domain/events/domain-event.js'
import { TraceParent } from '../../../domain/events/domain-event.js'
import type { HeldIdempotencyKey, Hold, PetRecord } from '../../../domain/pets/decide-add.js'
import { type NewPet, OPTIONAL_MEMBERS, type Pet, REQUIRED_MEMBERS } from '../../../domain/pets/pet.js'
import type { Damage } from '../../../ports/notice.js'
import { damageOf, StoredCount, StoredInstant } from './decoding.js'

/** Unique by caller, key and turn, so that only one create can take over an expired key, and older pets never change. */
export interface StoredIdempotencyKey {
  /** The lineage of the caller's API key. */
  readonly apiKeyId: string
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
        apiKeyId: idempotencyKey.value.lineage,
        key: idempotencyKey.value.key,
        turn,
        expiresAt: StoredInstant.encode(idempotencyKey.value.expiresAt),
      },
    }),
  }
}

const StoredPet = struct('StoredPet', { _id: Int64, ...REQUIRED_MEMBERS }, OPTIONAL_MEMBERS)
const StoredEvent = struct(
  'StoredEvent',
  { event: struct('Event', { id: Text, time: StoredInstant }, { traceparent: TraceParent }) },
  {},
)

const StoredHolder = struct(
  'StoredHolder',
  { idempotency: struct('Idempotency', { turn: StoredCount, expiresAt: StoredInstant }, {}) },
  {},
)

const StoredHeldKey = struct(
  'StoredHeldKey',
  { idempotency: struct('Idempotency', { apiKeyId: Text, key: Text, expiresAt: StoredInstant }, {}) },
  {},
)

/** The members that `decodePet` reads. */
export const PET_MEMBERS = { name: 1, categoryId: 1, status: 1 } as const satisfies Record<keyof NewPet, 1>

/** The members that `decodePet` and `decodeHold` read. */
export const HOLDER_MEMBERS = { ...PET_MEMBERS, idempotency: 1 } as const

/** The members that `decodeEvent` reads. */
export const EVENT_MEMBERS = { ...PET_MEMBERS, event: 1 } as const

/** Decodes the pet of a document, whichever program wrote it; drops unknown members. */
export const decodePet = (document: unknown): E.Either<Damage, Pet> =>
  pipe(
    StoredPet.decode(document),
    E.bimap(damageOf('pet', document), ({ _id, ...pet }) => ({ id: _id, ...pet })),
  )

export interface StoredHold extends Hold {
  readonly turn: number
}

/** Decodes how long a document holds its idempotency key, and how many others held it before. */
export const decodeHold = (document: unknown): E.Either<Damage, StoredHold> =>
  pipe(
    StoredHolder.decode(document),
    E.bimap(damageOf('pet', document), ({ idempotency }) => idempotency),
  )

/** Decodes the idempotency key that a document holds, expired or not. */
export const decodeHeldKey = (document: unknown): E.Either<Damage, HeldIdempotencyKey> =>
  pipe(
    StoredHeldKey.decode(document),
    E.bimap(damageOf('idempotency key', document), ({ idempotency: { apiKeyId, key, expiresAt } }) => ({
      lineage: apiKeyId,
      key,
      expiresAt,
    })),
  )

/** Decodes the event of a document. */
export const decodeEvent = (document: unknown): E.Either<Damage, PetCreated> =>
  pipe(
    decodePet(document),
    E.flatMap((pet) =>
      pipe(
        StoredEvent.decode(document),
        E.bimap(damageOf('pet', document), ({ event: { id: eventId, ...event } }) => ({
          _tag: 'PetCreated',
          eventId,
          ...event,
          pet,
        })),
      ),
    ),
  )

// Decides how a store merges the records of another one: what it has and what comes → what it writes and the result.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as R from 'fp-ts/lib/Record.js'
import { first, struct } from 'fp-ts/lib/Semigroup.js'
import type { ApiKey } from '../api-keys/api-key.js'
import type { Instant } from '../codecs/instant.js'
import type { PetCreated } from '../events/domain-event.js'
import type { Hold, IdempotencyKey } from '../pets/decide-add.js'
import {
  type ApiKeyArchived,
  type ArchiveRecord,
  type IdempotencyKeyArchived,
  isSameEvent,
  type MergeResult,
  type PetArchived,
  type StoreState,
} from './archive-record.js'

/** An idempotency key with the event of its pet. */
export type NamedKey = IdempotencyKeyArchived

/** The stored value of a record, if there is one; or why it cannot be decoded. */
export type Stored<A> = E.Either<string, O.Option<A>>

interface Decision<A> {
  readonly write: O.Option<A>
  readonly result: MergeResult
}

export interface KeyHolder extends Hold {
  readonly petId: number | bigint
}

const ANOTHER_PET = 'the store has another pet with this id'

const keep = (result: MergeResult): Decision<never> => ({ write: O.none, result })
const unchanged = keep({ _tag: 'Unchanged' })
const refuse = (reason: string): Decision<never> => keep({ _tag: 'Refused', reason })
const refuseDamaged = (reason: string): Decision<never> => refuse(`the stored record is damaged: ${reason}`)
const add = <A>(value: A): Decision<A> => ({ write: O.some(value), result: { _tag: 'Added' } })

type Joined = 'expiresAt' | 'revokedAt' | 'lastUsedAt' | 'successor'
type Fixed = Readonly<Record<Exclude<keyof ApiKey, Joined>, true>>

const earliest = O.getMonoid<Instant>({ concat: Math.min })

/** Joins the members that change in the life of a key. A revocation or an expiry in either state wins. */
const { concat: join } = struct<Pick<ApiKey, Joined>>({
  expiresAt: earliest,
  revokedAt: earliest,
  lastUsedAt: O.getMonoid<Instant>({ concat: Math.max }),
  successor: O.getMonoid(first<string>()),
})

/** The members that never change. A new member of ApiKey does not compile until it is here or joined above. */
const FIXED: Fixed = { id: true, name: true, scopes: true, hash: true, createdAt: true, lineage: true }

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The merged key, independent of the order of the states; or the member that differs if they are two different keys. */
export const mergeApiKeys = (one: ApiKey, other: ApiKey): E.Either<string, ApiKey> => {
  const differing = R.keys(FIXED).find((member) => !isSame(one[member], other[member]))
  if (differing !== undefined) return E.left(differing)
  if (O.isSome(one.successor) && O.isSome(other.successor) && one.successor.value !== other.successor.value) {
    return E.left('successor')
  }
  return E.right({ ...one, ...join(one, other) })
}

const decide = <S, A>(stored: Stored<S>, value: A, beside: (stored: S) => Decision<A>): Decision<A> => {
  if (E.isLeft(stored)) return refuseDamaged(stored.left)
  return O.isSome(stored.right) ? beside(stored.right.value) : add(value)
}

export const decideMerge = {
  /** `last`: the last id that was drawn or is stored. A damaged counter stays: it stops creates until an operator has looked at it. */
  StoreState: ({ lastId }: Pick<StoreState, 'lastId'>, last: E.Either<string, bigint>): Decision<bigint> =>
    E.isLeft(last) || last.right >= lastId ? unchanged : { write: O.some(lastId), result: { _tag: 'Updated' } },

  Pet: ({ event }: PetArchived, stored: Stored<PetCreated>): Decision<PetCreated> =>
    decide(stored, event, (other) => (isSameEvent(other, event) ? unchanged : refuse(ANOTHER_PET))),

  ApiKey: ({ key }: ApiKeyArchived, stored: Stored<ApiKey>): Decision<ApiKey> =>
    decide(stored, key, (other) => {
      const merged = mergeApiKeys(other, key)
      if (E.isLeft(merged)) return refuse(`the store has another API key with this id: its ${merged.left} differs`)
      if (isSame(merged.right, other)) return unchanged
      return { write: O.some(merged.right), result: { _tag: 'Updated' } }
    }),

  IdempotencyKey: (
    record: IdempotencyKeyArchived,
    pet: Stored<PetCreated>,
    holder: Stored<KeyHolder>,
    now: Instant,
  ): Decision<NamedKey> => {
    if (record.key.expiresAt <= now) return unchanged
    if (E.isLeft(pet)) return refuseDamaged(pet.left)
    if (O.isNone(pet.right)) return refuse('the store lacks its pet')
    const { eventId } = pet.right.value
    if (record.eventId !== eventId) return refuse(ANOTHER_PET)
    const named = { ...record, eventId }
    return decide(holder, named, ({ petId, expiresAt }) => {
      if (BigInt(petId) === record.petId) return unchanged
      return expiresAt > now ? refuse(`pet ${petId} holds the same key`) : add(named)
    })
  },
} satisfies Readonly<Record<ArchiveRecord['_tag'], unknown>>

/** The look-ups and writes of a store, all in one transaction. */
export interface MergeTarget {
  /** The last id that was drawn or is stored. */
  readonly lastId: () => E.Either<string, bigint>
  readonly putLastId: (last: bigint) => void
  readonly pet: (id: bigint) => Stored<PetCreated>
  readonly putPet: (event: PetCreated) => void
  readonly apiKey: (id: string) => Stored<ApiKey>
  readonly putApiKey: (key: ApiKey) => void
  /** The latest holder of the key, expired or not. */
  readonly holder: (key: IdempotencyKey) => Stored<KeyHolder>
  /** `replaced`: the expired holder of the key. */
  readonly putIdempotencyKey: (record: NamedKey, replaced: O.Option<KeyHolder>) => void
}

const carryOut = <A>({ write, result }: Decision<A>, put: (value: A) => void): MergeResult => {
  if (O.isSome(write)) put(write.value)
  return result
}

/** Merges a record of another store: looks up, decides and writes. A counter below the id of an added pet is raised to it. */
export const mergeInto = (target: MergeTarget, record: ArchiveRecord, now: Instant): MergeResult => {
  const raise = (state: Pick<StoreState, 'lastId'>): MergeResult =>
    carryOut(decideMerge.StoreState(state, target.lastId()), target.putLastId)
  switch (record._tag) {
    case 'StoreState':
      return raise(record)
    case 'Pet':
      return carryOut(decideMerge.Pet(record, target.pet(record.event.pet.id)), (event) => {
        raise({ lastId: event.pet.id })
        target.putPet(event)
      })
    case 'ApiKey':
      return carryOut(decideMerge.ApiKey(record, target.apiKey(record.key.id)), target.putApiKey)
    case 'IdempotencyKey': {
      const [pet, holder] = [target.pet(record.petId), target.holder(record.key)]
      return carryOut(decideMerge.IdempotencyKey(record, pet, holder, now), (named) =>
        target.putIdempotencyKey(named, O.flatten(O.fromEither(holder))),
      )
    }
  }
}

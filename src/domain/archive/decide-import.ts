// Decides what an import adds to a store: export records and stored records → what to add, or the first difference.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as R from 'fp-ts/lib/Record.js'
import type { ApiKey } from '../api-keys/api-key.js'
import type { Instant } from '../codecs/scalar.js'
import { type PetCreated, PetCreatedFromJson } from '../events/domain-event.js'
import { type Hold, heldAt, type IdempotencyKey } from '../pets/decide-add.js'
import type {
  ApiKeyArchived,
  Counted,
  IdempotencyKeyArchived,
  ImportBatch,
  PetArchived,
  RecordDiffers,
} from './archive-record.js'

/** The stored value of a record, if any; or why it cannot be decoded. */
export type Stored<A> = E.Either<string, O.Option<A>>

export interface KeyHolder extends Hold {
  readonly petId: number | bigint
}

/** The state of the store to import into. */
export interface ImportTarget {
  /** The highest id of a pet; 0 if there is none. */
  readonly lastPet: bigint
  readonly pet: (id: bigint) => Stored<PetCreated>
  readonly apiKey: (id: string) => Stored<ApiKey>
  /** The latest holder of the key, expired or not. */
  readonly holder: (key: IdempotencyKey) => Stored<KeyHolder>
}

/** Whether to add a record; or how the store differs. */
type Verdict = E.Either<string, boolean>

const judgeApiKey = ({ key }: ApiKeyArchived, stored: Stored<ApiKey>): Verdict => {
  if (E.isLeft(stored)) return E.left(`the stored API key ${key.id} is damaged: ${stored.left}`)
  if (O.isNone(stored.right)) return E.right(true)
  const found = stored.right.value
  // compares all members, so that new ones are included
  const member = R.keys(key).find(
    (member) => member !== 'lastUsedAt' && JSON.stringify(key[member]) !== JSON.stringify(found[member]),
  )
  return member === undefined
    ? E.right(false)
    : E.left(`the store has another API key with the id ${key.id}: its ${member} differs`)
}

const ownPet = (id: bigint): string =>
  `the store has a pet of its own, with the id ${id}: an import fills a store without pets`

/** `before`: the id of the previous pet in the export; up to there, the store is known to have no other pets. */
const judgePet = ({ event }: PetArchived, before: bigint, { pet, lastPet }: ImportTarget): Verdict => {
  const { id } = event.pet
  if (id <= before) return E.left(`the pet ${id} comes after the pet ${before}`)
  const stored = pet(id)
  if (E.isLeft(stored)) return E.left(`the stored pet ${id} is damaged: ${stored.left}`)
  if (O.isNone(stored.right)) return lastPet > before ? E.left(ownPet(lastPet)) : E.right(true)
  const isSame = PetCreatedFromJson.encode(stored.right.value) === PetCreatedFromJson.encode(event)
  return isSame ? E.right(false) : E.left(`the store has another pet with the id ${id}`)
}

/** `pet`: the event of the key's pet, from the batch or the store. */
const judgeIdempotencyKey = (
  { petId, eventId, key }: IdempotencyKeyArchived,
  pet: Stored<PetCreated>,
  { holder }: ImportTarget,
  now: Instant,
): Verdict => {
  if (key.expiresAt <= now) return E.right(false)
  if (E.isLeft(pet)) return E.left(`the stored pet ${petId} is damaged: ${pet.left}`)
  if (O.isNone(pet.right) || pet.right.value.eventId !== eventId) {
    return E.left(`the store lacks the pet ${petId} of the idempotency key`)
  }
  const held = holder(key)
  if (E.isLeft(held)) return E.left(`the holder of the idempotency key is damaged: ${held.left}`)
  if (O.isSome(held.right) && BigInt(held.right.value.petId) === petId) return E.right(false)
  const other = heldAt(held.right, now)
  return O.isNone(other) ? E.right(true) : E.left(`the pet ${other.value.petId} holds the same idempotency key`)
}

/** The records to add, in order; or the first difference: then add none. Without a transaction, check again after. */
export const decideImport = (
  { records, after, lastId, now }: ImportBatch,
  store: ImportTarget,
): E.Either<RecordDiffers, readonly Counted[]> => {
  const differs = (at: number, reason: string): E.Either<RecordDiffers, never> =>
    E.left({ _tag: 'RecordDiffers', at, reason })
  const events = new Map<bigint, PetCreated>()
  const added: Counted[] = []
  let last = after

  const judge = (record: Counted): Verdict => {
    if (record._tag === 'ApiKey') return judgeApiKey(record, store.apiKey(record.key.id))
    if (record._tag === 'IdempotencyKey') {
      const event = events.get(record.petId)
      const pet = event === undefined ? store.pet(record.petId) : E.right(O.some(event))
      return judgeIdempotencyKey(record, pet, store, now)
    }
    const verdict = judgePet(record, last, store)
    last = record.event.pet.id
    events.set(last, record.event)
    return verdict
  }

  for (const [at, record] of records.entries()) {
    const verdict = judge(record)
    if (E.isLeft(verdict)) return differs(at, verdict.left)
    if (verdict.right) added.push(record)
  }
  const isOwn = O.isSome(lastId) && store.lastPet > last
  return isOwn ? differs(records.length, ownPet(store.lastPet)) : E.right(added)
}

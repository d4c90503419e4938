// Imports idempotency keys into the documents of the pets that hold them.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Collection, Db, Document } from 'mongodb'
import type { IdempotencyKeyArchived, MergeResult } from '../../../domain/archive/archive-record.js'
import { decideMerge, type KeyHolder, type Stored } from '../../../domain/archive/decide-merge.js'
import type { Instant } from '../../../domain/codecs/instant.js'
import { DURABLE_READ, readDocuments, repeatStep, writeUnlessTaken } from '../connection/commands.js'
import { storedOf } from '../documents/decoding.js'
import {
  decodeEvent,
  decodeHold,
  HOLDER_MEMBERS,
  type PetDocument,
  type StoredHold,
  type StoredIdempotencyKey,
} from '../documents/pet-document.js'
import { isVoid } from '../documents/void-document.js'
import { findHolders, holdsKey } from '../pets/idempotency-keys.js'
import { PETS } from '../schema/collections.js'

/** Maximum number of rounds, each a read and a write; a second one is needed only if a service writes at the same time. */
const ROUNDS = 5

const MEMBERS = { ...HOLDER_MEMBERS, event: 1 } as const

const holdOf = (holder: PetDocument | undefined): Stored<KeyHolder & { readonly turn: number }> =>
  holder === undefined
    ? E.right(O.none)
    : storedOf(E.map((hold: StoredHold) => ({ ...hold, petId: holder._id }))(decodeHold(holder)))

/** The plan for one key: a result, or the update that gives the key to its pet. */
const plan = (
  record: IdempotencyKeyArchived,
  pet: PetDocument | undefined,
  holder: PetDocument | undefined,
  now: Instant,
): E.Either<MergeResult, Document> => {
  const { lineage, key, expiresAt } = record.key
  const held = holdOf(pet !== undefined && holdsKey(pet, record.key) ? pet : holder)
  const stored = pet === undefined || isVoid(pet) ? E.right(O.none) : storedOf(decodeEvent(pet))
  const { write, result } = decideMerge.IdempotencyKey(record, stored, held, now)
  if (O.isNone(write)) return E.left(result)
  if (pet?.idempotency !== undefined) return E.left({ _tag: 'Refused', reason: 'its pet holds another key' })
  const turn = E.isRight(held) && O.isSome(held.right) ? held.right.value.turn + 1 : 0
  const idempotency: StoredIdempotencyKey = { apiKeyId: lineage, key, turn, expiresAt: new Date(expiresAt) }
  return E.right({ q: { _id: record.petId, idempotency: { $exists: false } }, u: { $set: { idempotency } } })
}

/** One result for each record. */
export const mergeIdempotencyKeys = async (
  database: Db,
  records: readonly IdempotencyKeyArchived[],
  now: Instant,
): Promise<MergeResult[]> => {
  const pets: Collection<PetDocument> = database.collection(PETS)
  const results = new Map<IdempotencyKeyArchived, MergeResult>()
  let waiting = records
  for (let round = 1; waiting.length > 0; round += 1) {
    if (round > ROUNDS) throw new Error('other writers use the same idempotency keys')
    const ids = waiting.map(({ petId }) => petId)
    const keys = waiting.map(({ key }) => key)
    const options = { ...DURABLE_READ, projection: MEMBERS }
    const own = await repeatStep(() => readDocuments(pets, { _id: { $in: ids } }, options))
    const byId = new Map(own.map((pet) => [String(pet._id), pet]))
    const holderOf = await repeatStep(() => findHolders(pets, keys, MEMBERS))
    const updates: (readonly [IdempotencyKeyArchived, Document])[] = []
    for (const record of waiting) {
      const planned = plan(record, byId.get(String(record.petId)), holderOf(record.key), now)
      if (E.isLeft(planned)) results.set(record, planned.left)
      else updates.push([record, planned.right])
    }
    if (updates.length === 0) break
    const command = { update: PETS, updates: updates.map(([, update]) => update) }
    // another writer has beaten these
    const late = await repeatStep(() => writeUnlessTaken(database, command))
    for (const [at, [record]] of updates.entries()) if (!late.has(at)) results.set(record, { _tag: 'Added' })
    waiting = waiting.filter((record) => !results.has(record))
  }
  return records.flatMap((record) => results.get(record) ?? [])
}

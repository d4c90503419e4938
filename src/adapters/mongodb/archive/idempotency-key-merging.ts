// Imports idempotency keys into the documents of the pets that hold them.
import * as E from 'fp-ts/lib/Either.js'
import type { Db, Document } from 'mongodb'
import type { IdempotencyKeyArchived } from '../../../domain/archive/archive-record.js'
import { ADDED, refused, refusedAsDamaged, UNCHANGED } from '../../../domain/archive/merge-results.js'
import type { Instant } from '../../../domain/codecs/instant.js'
import type { MergeResult } from '../../../ports/archive.js'
import { DURABLE_READ } from '../connection/durable-read.js'
import { repeatStep } from '../connection/repeat-transient.js'
import { writeUnlessTaken } from '../connection/write-command.js'
import { nameOf, storedNameOf } from '../documents/key-name.js'
import { decodeHold, HOLDER_MEMBERS, type PetDocument, type StoredIdempotencyKey } from '../documents/pet-document.js'
import { isVoid } from '../documents/void-document.js'
import { PETS } from '../schema/collections.js'

/** Maximum number of rounds, each a read and a write; a second one is needed only if a service writes at the same time. */
const ROUNDS = 5

type Holder = Pick<PetDocument, '_id' | 'name' | 'categoryId' | 'idempotency'>

/** The plan for one key: a result, or the update that gives the key to its pet. */
const plan = (
  { petId, key: { lineage, key, expiresAt } }: IdempotencyKeyArchived,
  pet: Holder | undefined,
  holder: Holder | undefined,
  now: Instant,
): E.Either<MergeResult, Document> => {
  if (expiresAt <= now) return E.left(UNCHANGED)
  if (pet === undefined || isVoid(pet)) return E.left(refused('the store lacks its pet'))
  if (pet.idempotency !== undefined) {
    const isSame = pet.idempotency.apiKeyId === lineage && pet.idempotency.key === key
    return E.left(isSame ? UNCHANGED : refused('its pet holds another key'))
  }
  const held = holder && decodeHold(holder)
  if (held?._tag === 'Left') return E.left(refusedAsDamaged(held.left.reason))
  if (held !== undefined && held.right.expiresAt > now) return E.left(refused(`pet ${holder?._id} holds the same key`))
  const turn = held === undefined ? 0 : held.right.turn + 1
  const idempotency: StoredIdempotencyKey = { apiKeyId: lineage, key, turn, expiresAt: new Date(expiresAt) }
  return E.right({ q: { _id: petId, idempotency: { $exists: false } }, u: { $set: { idempotency } } })
}

type Found = { readonly pet: Holder | undefined; readonly holder: Holder | undefined }

/** The pets of the records, and the newest holders of their keys. */
const look = async (
  database: Db,
  records: readonly IdempotencyKeyArchived[],
): Promise<(record: IdempotencyKeyArchived) => Found> => {
  const pets = database.collection<PetDocument>(PETS)
  const options = { ...DURABLE_READ, projection: HOLDER_MEMBERS, sort: { 'idempotency.turn': 1 } } as const
  const named = records.map(({ key: { lineage, key } }) => ({
    'idempotency.apiKeyId': lineage,
    'idempotency.key': key,
  }))
  const own = await repeatStep(() => pets.find({ _id: { $in: records.map(({ petId }) => petId) } }, options).toArray())
  const holders = await repeatStep(() => pets.find({ $or: named }, options).toArray())
  const byId = new Map<string, Holder>(own.map((pet) => [String(pet._id), pet]))
  // a map keeps the last of several entries with one name: the newest turn
  const byName = new Map<string, Holder>(
    holders.flatMap((pet) => (pet.idempotency === undefined ? [] : [[storedNameOf(pet.idempotency), pet]])),
  )
  return ({ petId, key }) => ({ pet: byId.get(String(petId)), holder: byName.get(nameOf(key)) })
}

/** One result for each record. */
export const mergeIdempotencyKeys = async (
  database: Db,
  records: readonly IdempotencyKeyArchived[],
  now: Instant,
): Promise<readonly MergeResult[]> => {
  const results = new Map<number, MergeResult>()
  for (let round = 1; results.size < records.length; round += 1) {
    if (round > ROUNDS) throw new Error('other writers use the same idempotency keys')
    const waiting = [...records.entries()].filter(([at]) => !results.has(at))
    const find = await look(
      database,
      waiting.map(([, record]) => record),
    )
    const updates: (readonly [number, Document])[] = []
    for (const [at, record] of waiting) {
      const { pet, holder } = find(record)
      const planned = plan(record, pet, holder, now)
      if (E.isLeft(planned)) results.set(at, planned.left)
      else updates.push([at, planned.right])
    }
    if (updates.length === 0) continue
    const command = { update: PETS, updates: updates.map(([, update]) => update) }
    // another writer has beaten these
    const late = await repeatStep(() => writeUnlessTaken(database, command))
    for (const [index, [at]] of updates.entries()) if (!late.has(index)) results.set(at, ADDED)
  }
  return records.flatMap((_, at) => results.get(at) ?? [])
}

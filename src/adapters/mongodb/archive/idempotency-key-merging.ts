// Imports idempotency keys into the documents of the pets that hold them.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Db, Document, Filter } from 'mongodb'
import type { IdempotencyKeyArchived } from '../../../domain/archive/archive-record.js'
import { decideMerge, type KeyHolder, type Stored } from '../../../domain/archive/decide-merge.js'
import type { Instant } from '../../../domain/codecs/instant.js'
import type { MergeResult } from '../../../ports/archive.js'
import { DURABLE_READ } from '../connection/durable-read.js'
import { repeatStep } from '../connection/repeat-transient.js'
import { writeUnlessTaken } from '../connection/write-command.js'
import { storedOf } from '../documents/decoding.js'
import { heldUnder, nameOf, storedNameOf } from '../documents/key-name.js'
import {
  decodeEvent,
  decodeHold,
  HOLDER_MEMBERS,
  type PetDocument,
  type StoredHold,
  type StoredIdempotencyKey,
} from '../documents/pet-document.js'
import { readDocuments } from '../documents/read-documents.js'
import { isVoid } from '../documents/void-document.js'
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
  const holdsIt = pet?.idempotency !== undefined && storedNameOf(pet.idempotency) === nameOf(record.key)
  const held = holdOf(holdsIt ? pet : holder)
  const stored = pet === undefined || isVoid(pet) ? E.right(O.none) : storedOf(decodeEvent(pet))
  const { write, result } = decideMerge.IdempotencyKey(record, stored, held, now)
  if (O.isNone(write)) return E.left(result)
  if (pet?.idempotency !== undefined) return E.left({ _tag: 'Refused', reason: 'its pet holds another key' })
  const turn = E.isRight(held) && O.isSome(held.right) ? held.right.value.turn + 1 : 0
  const idempotency: StoredIdempotencyKey = { apiKeyId: lineage, key, turn, expiresAt: new Date(expiresAt) }
  return E.right({ q: { _id: record.petId, idempotency: { $exists: false } }, u: { $set: { idempotency } } })
}

/** Looks up the pets of the records, and the newest holders of their keys. */
const look = async (database: Db, records: readonly IdempotencyKeyArchived[]) => {
  const pets = database.collection<PetDocument>(PETS)
  const options = { ...DURABLE_READ, projection: MEMBERS, sort: { 'idempotency.turn': 1 } } as const
  const find = (filter: Filter<PetDocument>) =>
    repeatStep(() => readDocuments((read) => pets.find(filter, { ...options, ...read })))
  const own = await find({ _id: { $in: records.map(({ petId }) => petId) } })
  const holders = await find({ $or: records.map(({ key }) => heldUnder(key)) })
  const byId = new Map(own.map((pet) => [String(pet._id), pet]))
  // a map keeps the last of several entries with one name: the newest turn
  const byName = new Map<string, PetDocument>(
    holders.flatMap((pet) => (pet.idempotency === undefined ? [] : [[storedNameOf(pet.idempotency), pet]])),
  )
  return ({ petId, key }: IdempotencyKeyArchived) => ({ pet: byId.get(String(petId)), holder: byName.get(nameOf(key)) })
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
    for (const [index, [at]] of updates.entries()) if (!late.has(index)) results.set(at, { _tag: 'Added' })
  }
  return records.flatMap((_, at) => results.get(at) ?? [])
}

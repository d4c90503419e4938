// Imports API keys, pets and idempotency keys, and brings stored API keys up to date.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as R from 'fp-ts/lib/Record.js'
import type { Db, Document } from 'mongodb'
import type { ApiKey } from '../../../domain/api-keys/api-key.js'
import type {
  ApiKeyArchived,
  IdempotencyKeyArchived,
  MergeResult,
  PetArchived,
} from '../../../domain/archive/archive-record.js'
import { decideMerge, type KeyHolder, type Stored } from '../../../domain/archive/decide-merge.js'
import type { Instant } from '../../../domain/codecs/instant.js'
import type { ApiKeyChange } from '../../../ports/api-key-store.js'
import { apiKeyDocument, apiKeysIn, decodeApiKey } from '../api-key-store.js'
import { DURABLE_READ, ifDuplicateKey, readDocuments, repeatStep, writeUnlessTaken } from '../connection/commands.js'
import { storedOf } from '../documents/decoding.js'
import {
  decodeEvent,
  decodeHold,
  HOLDER_MEMBERS,
  isVoid,
  LINEAGE,
  PETS,
  type PetDocument,
  petDocument,
  petsIn,
  type StoredHold,
  type StoredIdempotencyKey,
  VOIDS,
} from '../documents/pet-document.js'
import { findHolders, holdsKey } from '../pets/pet-insertion.js'

/** How each changing member joins the stored one, as in `mergeApiKeys`. A new one does not compile until it is here. */
const JOINED_BY: Readonly<Record<keyof ApiKeyChange, '$min' | '$max' | '$set'>> = {
  expiresAt: '$min',
  revokedAt: '$min',
  lastUsedAt: '$max',
  successor: '$set',
}

/** Keeps what another process has changed since the key was read, such as a revocation. */
const joining = (key: ApiKey) => {
  const stored = apiKeyDocument(key)
  const operators: Record<string, Record<string, unknown>> = {}
  for (const [name, operator] of R.toEntries(JOINED_BY)) {
    // an empty operator is an error
    if (stored[name] !== undefined) operators[operator] = { ...operators[operator], [name]: stored[name] }
  }
  return operators
}

export const mergeApiKey = async (database: Db, record: ApiKeyArchived): Promise<MergeResult> => {
  const { key } = record
  const apiKeys = apiKeysIn(database)
  const inserted = repeatStep(() => apiKeys.insertOne(apiKeyDocument(key)))
  if ((await inserted.catch(ifDuplicateKey(null))) !== null) return { _tag: 'Added' }
  const [stored] = await repeatStep(() => readDocuments(apiKeys, { _id: key.id }, { limit: 1 }))
  const { write, result } = decideMerge.ApiKey(record, storedOf(decodeApiKey(stored)))
  if (O.isSome(write)) await repeatStep(() => apiKeys.updateOne({ _id: key.id }, joining(write.value)))
  return result
}

const documentOf = ({ event }: PetArchived): PetDocument => petDocument({ event, idempotencyKey: O.none })

/** What is stored under the ids of these documents. */
const storedAt = async (database: Db, documents: readonly PetDocument[]): Promise<ReadonlyMap<string, PetDocument>> => {
  if (documents.length === 0) return new Map()
  const pets = petsIn(database)
  const ids = documents.map(({ _id }) => _id)
  const found = await repeatStep(() => readDocuments(pets, { _id: { $in: ids } }, DURABLE_READ))
  return new Map(found.map((document) => [String(document._id), document]))
}

/**
 * One bulk insert, then one read of the ids already in use. A void gives way to its pet. One result for each pet; an insert
 * whose reply was lost finds its own documents and counts them as unchanged.
 */
export const mergePets = async (database: Db, pets: readonly PetArchived[]): Promise<MergeResult[]> => {
  if (pets.length === 0) return []
  const documents = pets.map(documentOf)
  const inUse = await repeatStep(() => writeUnlessTaken(database, { insert: PETS, documents }))
  const others = documents.filter((_, at) => inUse.has(at))
  const before = await storedAt(database, others)
  const replaced = others.filter(({ _id }) => {
    const document = before.get(String(_id))
    return document !== undefined && isVoid(document)
  })
  // another import may do so at the same time, with other pets
  const updates = replaced.map((document) => ({ q: { _id: document._id, ...VOIDS }, u: document }))
  if (updates.length > 0) await repeatStep(() => writeUnlessTaken(database, { update: PETS, updates }))
  const stored = new Map([...before, ...(await storedAt(database, replaced))])
  const wereVoids = new Set(replaced)
  return pets.map((pet, at): MergeResult => {
    const document = documents[at]
    if (document === undefined || !inUse.has(at)) return { _tag: 'Added' }
    const { result } = decideMerge.Pet(pet, storedOf(decodeEvent(stored.get(String(document._id)))))
    return result._tag === 'Unchanged' && wereVoids.has(document) ? { _tag: 'Added' } : result
  })
}

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
  const idempotency: StoredIdempotencyKey = { [LINEAGE]: lineage, key, turn, expiresAt: new Date(expiresAt) }
  return E.right({ q: { _id: record.petId, idempotency: { $exists: false } }, u: { $set: { idempotency } } })
}

/** One result for each record. */
export const mergeIdempotencyKeys = async (
  database: Db,
  records: readonly IdempotencyKeyArchived[],
  now: Instant,
): Promise<MergeResult[]> => {
  const pets = petsIn(database)
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

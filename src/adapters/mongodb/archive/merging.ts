// Imports API keys and pets, or brings stored API keys up to date.
import * as O from 'fp-ts/lib/Option.js'
import * as R from 'fp-ts/lib/Record.js'
import type { Collection, Db } from 'mongodb'
import type { ApiKey } from '../../../domain/api-keys/api-key.js'
import type { ApiKeyArchived, MergeResult, PetArchived } from '../../../domain/archive/archive-record.js'
import { decideMerge } from '../../../domain/archive/decide-merge.js'
import type { ApiKeyChange } from '../../../ports/api-key-store.js'
import { type ApiKeyDocument, apiKeyDocument, decodeApiKey } from '../api-key-store.js'
import { DURABLE_READ, isDuplicateKey, readDocuments, repeatStep, writeUnlessTaken } from '../connection/commands.js'
import { storedOf } from '../documents/decoding.js'
import { decodeEvent, type PetDocument, petDocument } from '../documents/pet-document.js'
import { isVoid, VOIDS } from '../documents/void-document.js'
import { API_KEYS, PETS } from '../schema/collections.js'

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
  const apiKeys: Collection<ApiKeyDocument> = database.collection(API_KEYS)
  try {
    await repeatStep(() => apiKeys.insertOne(apiKeyDocument(key)))
    return { _tag: 'Added' }
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
  }
  const [stored] = await repeatStep(() => readDocuments(apiKeys, { _id: key.id }, { limit: 1 }))
  const { write, result } = decideMerge.ApiKey(record, storedOf(decodeApiKey(stored)))
  if (O.isSome(write)) await repeatStep(() => apiKeys.updateOne({ _id: key.id }, joining(write.value)))
  return result
}

const documentOf = ({ event }: PetArchived): PetDocument => petDocument({ event, idempotencyKey: O.none })

/** The stored documents with these ids. */
const storedAt = async (database: Db, documents: readonly PetDocument[]): Promise<ReadonlyMap<string, PetDocument>> => {
  if (documents.length === 0) return new Map()
  const pets: Collection<PetDocument> = database.collection(PETS)
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

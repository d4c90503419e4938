// Imports an API key, or brings the stored one up to date.
import * as O from 'fp-ts/lib/Option.js'
import * as R from 'fp-ts/lib/Record.js'
import type { Collection, Db } from 'mongodb'
import type { ApiKey } from '../../../domain/api-keys/api-key.js'
import type { ApiKeyArchived } from '../../../domain/archive/archive-record.js'
import { decideMerge } from '../../../domain/archive/decide-merge.js'
import type { ApiKeyChange } from '../../../ports/api-key-store.js'
import type { MergeResult } from '../../../ports/archive.js'
import { isDuplicateKey } from '../connection/duplicate-key.js'
import { repeatStep } from '../connection/repeat-transient.js'
import { type ApiKeyDocument, apiKeyDocument, decodeApiKey } from '../documents/api-key-document.js'
import { storedOf } from '../documents/decoding.js'
import { readDocuments } from '../documents/read-documents.js'
import { API_KEYS } from '../schema/collections.js'

const hasInserted = async (apiKeys: Collection<ApiKeyDocument>, key: ApiKey): Promise<boolean> => {
  try {
    await repeatStep(() => apiKeys.insertOne(apiKeyDocument(key)))
    return true
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
    return false
  }
}

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
  const apiKeys = database.collection<ApiKeyDocument>(API_KEYS)
  if (await hasInserted(apiKeys, key)) return { _tag: 'Added' }
  const [stored] = await repeatStep(() => readDocuments((read) => apiKeys.find({ _id: key.id }, { ...read, limit: 1 })))
  const { write, result } = decideMerge.ApiKey(record, storedOf(decodeApiKey(stored)))
  if (O.isSome(write)) await repeatStep(() => apiKeys.updateOne({ _id: key.id }, joining(write.value)))
  return result
}

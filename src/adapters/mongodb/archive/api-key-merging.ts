// Imports an API key, or brings the stored one up to date.
import * as E from 'fp-ts/lib/Either.js'
import * as R from 'fp-ts/lib/Record.js'
import type { Collection, Db } from 'mongodb'
import type { ApiKey } from '../../../domain/api-keys/api-key.js'
import { isSameKeyState, mergeApiKeys } from '../../../domain/archive/merge-api-key.js'
import { ADDED, refused, refusedAsDamaged, UNCHANGED, UPDATED } from '../../../domain/archive/merge-results.js'
import type { ApiKeyChange } from '../../../ports/api-key-store.js'
import type { MergeResult } from '../../../ports/archive.js'
import { isDuplicateKey } from '../connection/duplicate-key.js'
import { repeatStep } from '../connection/repeat-transient.js'
import { type ApiKeyDocument, apiKeyDocument, decodeApiKey } from '../documents/api-key-document.js'
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

export const mergeApiKey = async (database: Db, key: ApiKey): Promise<MergeResult> => {
  const apiKeys = database.collection<ApiKeyDocument>(API_KEYS)
  if (await hasInserted(apiKeys, key)) return ADDED
  const stored = decodeApiKey(await repeatStep(() => apiKeys.findOne({ _id: key.id })))
  if (E.isLeft(stored)) return refusedAsDamaged(stored.left.reason)
  const merged = mergeApiKeys(stored.right, key)
  if (E.isLeft(merged)) return refused(`the store has another API key with this id: its ${merged.left} differs`)
  if (isSameKeyState(merged.right, stored.right)) return UNCHANGED
  await repeatStep(() => apiKeys.updateOne({ _id: key.id }, joining(merged.right)))
  return UPDATED
}

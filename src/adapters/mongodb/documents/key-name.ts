// The name of an idempotency key in a map, one text for its two parts; and the filter of the documents that have held it.
import type { IdempotencyKey } from '../../../ports/pet-repository.js'
import type { StoredIdempotencyKey } from './pet-document.js'

export const nameOf = ({ lineage, key }: IdempotencyKey): string => `${lineage}\0${key}`

export const storedNameOf = ({ apiKeyId, key }: StoredIdempotencyKey): string => nameOf({ lineage: apiKeyId, key })

export const heldUnder = ({ lineage, key }: IdempotencyKey) => ({
  'idempotency.apiKeyId': lineage,
  'idempotency.key': key,
})

// The collections with the validators and indexes that the adapter relies on.
import * as R from 'fp-ts/lib/Record.js'
import type { Document, IndexDescription } from 'mongodb'
import { SCOPES } from '../../../domain/api-keys/api-key.js'
import { type NewPet, PET_STATUSES, REQUIRED_MEMBERS } from '../../../domain/pets/pet.js'
import { API_KEYS } from '../api-key-store.js'
import { LINEAGE_PATH, PETS } from '../documents/pet-document.js'
import { COUNTERS } from '../id-counter.js'

export interface CollectionPlan {
  readonly name: string
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, Document>>
  readonly indexes: readonly IndexDescription[]
}

const text = { bsonType: 'string' }
const date = { bsonType: 'date' }
const int64 = { bsonType: 'long' }

/** A new member of a pet does not compile until it is here. */
const PET_PROPERTIES: Readonly<Record<keyof NewPet, Document>> = {
  name: text,
  categoryId: int64,
  status: { enum: [...PET_STATUSES] },
}

export const COLLECTIONS: readonly CollectionPlan[] = [
  {
    name: PETS,
    required: ['_id', ...R.keys(REQUIRED_MEMBERS), 'event'],
    properties: {
      _id: int64,
      ...PET_PROPERTIES,
      event: { bsonType: 'object', required: ['id', 'time'], properties: { id: text, time: date, traceparent: text } },
    },
    indexes: [
      // a pet without a status matches no status filter, so it needs no entry
      { name: 'status', key: { status: 1, _id: -1 }, partialFilterExpression: { status: { $exists: true } } },
      {
        name: 'idempotency',
        key: { [LINEAGE_PATH]: 1, 'idempotency.key': 1, 'idempotency.turn': 1 },
        unique: true,
        partialFilterExpression: { 'idempotency.key': { $exists: true } },
      },
    ],
  },
  {
    name: COUNTERS,
    required: ['last'],
    properties: {
      last: { ...int64, minimum: 0 },
      skipped: { bsonType: 'array', items: { bsonType: 'object', required: ['from', 'to'] } },
      logId: text,
    },
    indexes: [],
  },
  {
    name: API_KEYS,
    required: ['_id', 'scopes', 'hash', 'createdAt', 'lineage'],
    properties: {
      _id: text,
      name: text,
      scopes: { bsonType: 'array', items: { enum: [...SCOPES] } },
      hash: text,
      createdAt: date,
      expiresAt: date,
      revokedAt: date,
      lastUsedAt: date,
      successor: text,
      lineage: text,
    },
    indexes: [{ name: 'isFirst', key: { isFirst: 1 }, unique: true, partialFilterExpression: { isFirst: true } }],
  },
]

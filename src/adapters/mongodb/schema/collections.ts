// The collections with the validators and indexes that the adapter relies on.
import type { Document, IndexDescription } from 'mongodb'
import { SCOPES } from '../../../domain/api-keys/api-key.js'
import { PET_STATUSES } from '../../../domain/pets/pet.js'

export const PETS = 'pets'
export const COUNTERS = 'counters'
export const API_KEYS = 'apiKeys'
export const RELAY = 'relay'

export interface CollectionPlan {
  readonly name: string
  readonly schema: Document
  readonly indexes: readonly IndexDescription[]
  /** Indexes of earlier versions. They are dropped, because they would slow down every write. */
  readonly formerIndexes: readonly string[]
}

const text = { bsonType: 'string' }
const date = { bsonType: 'date' }
const int64 = { bsonType: 'long' }

export const COLLECTIONS: readonly CollectionPlan[] = [
  {
    name: PETS,
    schema: {
      bsonType: 'object',
      required: ['_id', 'name', 'categoryId', 'event'],
      properties: {
        _id: int64,
        name: text,
        categoryId: int64,
        status: { enum: [...PET_STATUSES] },
        event: {
          bsonType: 'object',
          required: ['id', 'time'],
          properties: { id: text, time: date, traceparent: text },
        },
      },
    },
    indexes: [
      // a pet without a status matches no status filter, so it needs no entry
      {
        name: 'status',
        key: { status: 1, _id: -1 },
        partialFilterExpression: { status: { $exists: true } },
      },
      {
        name: 'idempotency',
        key: { 'idempotency.apiKeyId': 1, 'idempotency.key': 1, 'idempotency.turn': 1 },
        unique: true,
        partialFilterExpression: { 'idempotency.key': { $exists: true } },
      },
      // holds only unsent events; has the sort order of claims, and covers claims and the backlog
      {
        name: 'due',
        key: { 'unsent.parked': 1, 'unsent.dueAt': 1, _id: 1, 'event.time': 1 },
        partialFilterExpression: { 'unsent.parked': { $exists: true } },
      },
      { name: 'time', key: { 'event.time': 1, _id: 1 } },
    ],
    formerIndexes: ['unsent'],
  },
  {
    name: COUNTERS,
    schema: { bsonType: 'object', required: ['last'], properties: { last: int64, isRelayed: { bsonType: 'bool' } } },
    indexes: [],
    formerIndexes: [],
  },
  {
    name: API_KEYS,
    schema: {
      bsonType: 'object',
      required: ['_id', 'scopes', 'hash', 'createdAt'],
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
    },
    indexes: [{ name: 'isFirst', key: { isFirst: 1 }, unique: true, partialFilterExpression: { isFirst: true } }],
    formerIndexes: [],
  },
  {
    name: RELAY,
    schema: { bsonType: 'object', required: ['_id'], properties: { _id: text, hasSent: { bsonType: 'bool' } } },
    indexes: [],
    formerIndexes: [],
  },
]

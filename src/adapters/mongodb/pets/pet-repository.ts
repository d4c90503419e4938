// Pets in a MongoDB collection, one document each.
import type { Task } from 'fp-ts/lib/Task.js'
import type { Collection, Db } from 'mongodb'
import type { ReportDamage } from '../../../ports/damage-report.js'
import type { Added, PetRecord, PetRepository } from '../../../ports/pet-repository.js'
import type { Lane } from '../batching/batch.js'
import type { BatchObserver } from '../batching/observe-calls.js'
import type { Run } from '../connection/connection.js'
import type { LazyDatabase } from '../connection/lazy-database.js'
import { type PetDocument, petDocument } from '../documents/pet-document.js'
import type { EventQueuing } from '../outbox/event-queuing.js'
import { makeIdempotencyKeyReading } from './idempotency-key-reading.js'
import { COUNT_TIMEOUT_MS, makePetCounting } from './pet-counting.js'
import { makePetInsertion } from './pet-insertion.js'
import { makePetReading } from './pet-reading.js'

export interface MongoPetRepositorySettings {
  readonly database: Db
  readonly pets: Collection<PetDocument>
  /** The database connection for exact counts. */
  readonly counts: Pick<LazyDatabase, 'open'>
  /** Raises the counter of ids above every stored pet. */
  readonly passStoredIds: Task<void>
  readonly inserts: Lane
  readonly run: Run
  readonly queuing: Pick<EventQueuing, 'decide'>
  readonly reportDamage: ReportDamage
  readonly observer: BatchObserver
}

export const makeMongoPetRepository = (settings: MongoPetRepositorySettings): PetRepository => {
  const { database, pets, counts, passStoredIds, inserts, queuing, run, reportDamage, observer } = settings
  const insert = makePetInsertion({ database, pets, passStoredIds, inserts, reportDamage, observer })
  const { findById, findPage } = makePetReading({ database, pets, reportDamage, observer })
  const count = makePetCounting(counts, observer)
  const findByIdempotencyKey = makeIdempotencyKeyReading({ pets, reportDamage, observer })

  const add = (record: PetRecord): Promise<Added> => {
    const isQueued = queuing.decide()
    return typeof isQueued === 'boolean'
      ? insert(petDocument(record, isQueued))
      : isQueued.then((decided) => insert(petDocument(record, decided)))
  }

  return {
    add: (record) => run(() => add(record)),
    findByIdempotencyKey: (key, at) => run(() => findByIdempotencyKey(key, at)),
    findById: (id) => run(() => findById(id)),
    findPage: (query) => run(() => findPage(query)),
    count: (filter) => run(() => count(filter), COUNT_TIMEOUT_MS),
  }
}

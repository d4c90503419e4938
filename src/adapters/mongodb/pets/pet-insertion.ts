// Adds pets, many per command. Reads back the outcome if a pet was refused or its reply was lost.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import { type Collection, type Db, MongoServerError } from 'mongodb'
import type { ReportDamage } from '../../../ports/damage-report.js'
import type { Added } from '../../../ports/pet-repository.js'
import { batch, type Lane } from '../batching/batch.js'
import { type BatchObserver, observeCalls } from '../batching/observe-calls.js'
import { OPERATION_TIMEOUT_MS } from '../connection/connection.js'
import { isDuplicateKey } from '../connection/duplicate-key.js'
import { DURABLE_READ } from '../connection/durable-read.js'
import { runWrite } from '../connection/write-command.js'
import { soundHolder } from '../documents/damage.js'
import { decodeHold, decodePet, HOLDER_MEMBERS, type PetDocument } from '../documents/pet-document.js'

/** Attempts to insert when the idempotency key is contended. */
const ATTEMPTS = 5

/** Identifies documents that this service inserted. */
interface Marked {
  readonly event?: { readonly id?: unknown }
}

export interface PetInsertionSettings {
  readonly database: Db
  readonly pets: Collection<PetDocument>
  /** Raises the counter of ids above every stored pet. */
  readonly passStoredIds: Task<void>
  /** Shared with those who wait for inserts. */
  readonly inserts: Lane
  readonly reportDamage: ReportDamage
  readonly observer: BatchObserver
}

/** Adds a document. Safe to repeat when the reply is lost, because the event id identifies the document. */
export const makePetInsertion = (settings: PetInsertionSettings) => {
  const { database, pets, passStoredIds, inserts, reportDamage, observer } = settings

  const insertOne = async (document: PetDocument): Promise<readonly O.Option<MongoServerError>[]> => {
    try {
      await pets.insertOne(document)
      return [O.none]
    } catch (error) {
      if (isDuplicateKey(error)) return [O.some(error)]
      throw error
    }
  }

  const insertMany = async (documents: readonly PetDocument[]): Promise<readonly O.Option<MongoServerError>[]> => {
    const errors = await runWrite(database, { insert: pets.collectionName, documents })
    const byIndex = new Map(errors.map((error) => [error.index, new MongoServerError({ ...error })]))
    return documents.map((_, at) => O.fromNullable(byIndex.get(at)))
  }

  // for a single document the driver's operation is cheaper than the bare command (measured)
  const insertAll = (documents: readonly PetDocument[]): Promise<readonly O.Option<MongoServerError>[]> => {
    const [only, ...others] = documents
    return only !== undefined && others.length === 0 ? insertOne(only) : insertMany(documents)
  }
  const observe = observeCalls(observer, 'pets.add')
  const insert = batch(insertAll, {
    concurrency: 4,
    lane: inserts,
    maxItems: 500,
    timeoutMs: OPERATION_TIMEOUT_MS,
    observe,
  })

  const soundOf = soundHolder(reportDamage)

  /** The pet that holds the idempotency key, or the document to try next: the next turn of the key if it has expired. */
  const resolve = async (document: PetDocument): Promise<E.Either<PetDocument, Added>> => {
    const { idempotency, event } = document
    if (idempotency === undefined) return E.left(document)
    const { apiKeyId, key } = idempotency
    const keyed = { 'idempotency.apiKeyId': apiKeyId, 'idempotency.key': key }
    // all turns: the holder need not have the last one, because others may have deleted earlier pets
    let turn = 0
    for (const holder of await pets.find(keyed, { ...DURABLE_READ, projection: HOLDER_MEMBERS }).toArray()) {
      const hold = soundOf(decodeHold(holder))
      if (hold.expiresAt > event.time.getTime()) return E.right({ _tag: 'KeyTaken', by: soundOf(decodePet(holder)) })
      turn = Math.max(turn, hold.turn + 1)
    }
    return E.left({ ...document, idempotency: { ...idempotency, turn } })
  }

  // reads the documents to find the reason of a refusal, because the details of the error depend on the server and on the batch
  return async (document: PetDocument): Promise<Added> => {
    let candidate = document
    for (let attempt = 1; ; attempt += 1) {
      const refusal = await insert(candidate)
      if (O.isNone(refusal)) return { _tag: 'Added' }
      if (!isDuplicateKey(refusal.value) || attempt === ATTEMPTS) throw refusal.value
      const stored = await pets.findOne<Marked>({ _id: document._id }, { ...DURABLE_READ, projection: { event: 1 } })
      if (stored?.event?.id === document.event.id) return { _tag: 'Added' }
      if (stored !== null) {
        await passStoredIds()
        return { _tag: 'IdTaken' }
      }
      const resolved = await resolve(candidate)
      if (E.isRight(resolved)) return resolved.right
      candidate = resolved.left
    }
  }
}

// Adds pets, many per command. Reads back the outcome if a pet was refused or its reply was lost.
import * as O from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import { type Collection, type Db, MongoServerError } from 'mongodb'
import { decideAdd } from '../../../domain/pets/decide-add.js'
import type { ReportDamage } from '../../../ports/damage-report.js'
import type { Added, IdempotencyKey, PetRecord } from '../../../ports/pet-repository.js'
import { batch, type Lane } from '../batching/batch.js'
import { type BatchObserver, observeCalls } from '../batching/observe-calls.js'
import { OPERATION_TIMEOUT_MS } from '../connection/connection.js'
import { isDuplicateKey } from '../connection/duplicate-key.js'
import { DURABLE_READ } from '../connection/durable-read.js'
import { runWrite } from '../connection/write-command.js'
import { decodeHolderOrThrow } from '../documents/decoding.js'
import { heldUnder } from '../documents/key-name.js'
import {
  decodeHold,
  decodePet,
  HOLDER_MEMBERS,
  type PetDocument,
  petDocument,
  type StoredHold,
} from '../documents/pet-document.js'
import { readDocuments } from '../documents/read-documents.js'

/** Attempts to insert when the idempotency key is contended. */
const ATTEMPTS = 5

/** Identifies documents that this service inserted. */
interface Marked {
  readonly event?: { readonly id?: unknown }
}

interface Holder extends StoredHold {
  readonly document: PetDocument
}

export interface PetInsertionSettings {
  readonly database: Db
  readonly pets: Collection<PetDocument>
  /** Raises the counter of ids above every stored pet. */
  readonly raiseAboveStoredIds: Task<void>
  /** Shared with those who wait for inserts. */
  readonly inserts: Lane
  readonly reportDamage: ReportDamage
  readonly observer: BatchObserver
}

/** Adds a record. Safe to repeat when the reply is lost, because the event id identifies the document. */
export const makePetInsertion = (settings: PetInsertionSettings) => {
  const { database, pets, raiseAboveStoredIds, inserts, reportDamage, observer } = settings

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

  const soundOf = decodeHolderOrThrow(reportDamage)

  const holdersOf = async (key: IdempotencyKey): Promise<readonly Holder[]> => {
    const options = { ...DURABLE_READ, projection: HOLDER_MEMBERS } as const
    const documents = await readDocuments((read) => pets.find(heldUnder(key), { ...options, ...read }))
    return documents.map((document) => ({ ...soundOf(decodeHold(document)), document }))
  }

  const markedAt = async (id: bigint): Promise<Marked | undefined> => {
    const options = { ...DURABLE_READ, projection: { event: 1 }, limit: 1 } as const
    return (await readDocuments((read) => pets.find<Marked>({ _id: id }, { ...options, ...read })))[0]
  }

  // reads the documents to find the reason of a refusal, because the details of the error depend on the server and on the batch
  return async (record: PetRecord): Promise<Added> => {
    const { event, idempotencyKey } = record
    let document = petDocument(record)
    for (let attempt = 1; ; attempt += 1) {
      const refusal = await insert(document)
      if (O.isNone(refusal)) return { _tag: 'Added' }
      if (!isDuplicateKey(refusal.value) || attempt === ATTEMPTS) throw refusal.value
      const stored = await markedAt(document._id)
      if (stored?.event?.id === event.eventId) return { _tag: 'Added' }
      const holders = stored === undefined && O.isSome(idempotencyKey) ? await holdersOf(idempotencyKey.value) : []
      // the last to expire need not have the last turn, because others may have deleted earlier pets
      const [holder] = holders.toSorted((one, other) => other.expiresAt - one.expiresAt)
      const decision = decideAdd(record, { isIdTaken: stored !== undefined, holder: O.fromNullable(holder) })
      if (decision._tag === 'KeyTaken') return { _tag: 'KeyTaken', by: soundOf(decodePet(decision.by.document)) }
      if (decision._tag === 'IdTaken') {
        await raiseAboveStoredIds()
        return decision
      }
      document = petDocument(record, Math.max(-1, ...holders.map(({ turn }) => turn)) + 1)
    }
  }
}

// Adds pets, many per command. If a pet was refused or its reply was lost, reads back what is stored.
import * as O from 'fp-ts/lib/Option.js'
import type { MongoServerError } from 'mongodb'
import { type Added, decideAdd, type IdempotencyKey, type PetRecord } from '../../../domain/pets/decide-add.js'
import { batch, type Lane } from '../batching/batch.js'
import { DURABLE_READ, isDuplicateKey, readDocuments, runWrite } from '../connection/commands.js'
import type { StoreContext } from '../connection/connection.js'
import { decodeHolderOrThrow } from '../documents/decoding.js'
import {
  decodeHold,
  decodePet,
  HOLDER_MEMBERS,
  PETS,
  type PetDocument,
  petDocument,
  petsIn,
  type StoredHold,
} from '../documents/pet-document.js'
import type { IdCounter } from '../id-counter.js'
import { heldUnder } from './idempotency-keys.js'

/** Attempts to insert when the idempotency key is contended. */
const ATTEMPTS = 5

interface Holder extends StoredHold {
  readonly document: PetDocument
}

/** Adds a record. Safe to repeat when the reply is lost, because the event id identifies the document. */
export const makePetInsertion = (
  { database, reportDamage, observe }: StoreContext,
  { raiseAboveStoredIds }: Pick<IdCounter, 'raiseAboveStoredIds'>,
  inserts: Lane,
): ((record: PetRecord) => Promise<Added>) => {
  const pets = petsIn(database)
  const holderOf = decodeHolderOrThrow(reportDamage)

  /** The error of each document that was refused. */
  const insertAll = async (documents: readonly PetDocument[]): Promise<readonly O.Option<MongoServerError>[]> => {
    const [only, ...others] = documents
    if (only === undefined || others.length > 0) {
      const errors = await runWrite(database, { insert: PETS, documents })
      return documents.map((_, at) => O.fromNullable(errors.get(at)))
    }
    // for a single document the driver's operation is cheaper than the bare command (measured)
    try {
      await pets.insertOne(only)
      return [O.none]
    } catch (error) {
      if (isDuplicateKey(error)) return [O.some(error)]
      throw error
    }
  }
  const insert = batch(insertAll, { concurrency: 4, lane: inserts, maxItems: 500, observe: observe('pets.add') })

  const holdersOf = async (key: IdempotencyKey): Promise<readonly Holder[]> => {
    const documents = await readDocuments(pets, heldUnder(key), { ...DURABLE_READ, projection: HOLDER_MEMBERS })
    return documents.map((document) => ({ ...holderOf(decodeHold(document)), document }))
  }

  // reads the documents to find the reason of a refused insert: the details of the error depend on the server and on the batch
  return async (record) => {
    const { event, idempotencyKey } = record
    let document = petDocument(record)
    for (let attempt = 1; ; attempt += 1) {
      const error = await insert(document)
      if (O.isNone(error)) return { _tag: 'Added' }
      if (!isDuplicateKey(error.value) || attempt === ATTEMPTS) throw error.value
      const options = { ...DURABLE_READ, projection: { event: 1 }, limit: 1 }
      const [stored]: readonly Partial<PetDocument>[] = await readDocuments(pets, { _id: document._id }, options)
      if (stored?.event?.id === event.eventId) return { _tag: 'Added' }
      const holders = stored === undefined && O.isSome(idempotencyKey) ? await holdersOf(idempotencyKey.value) : []
      // the last to expire need not have the last turn, because others may have deleted earlier pets
      const [holder] = holders.toSorted((one, other) => other.expiresAt - one.expiresAt)
      const decision = decideAdd(record, { isIdTaken: stored !== undefined, holder: O.fromNullable(holder) })
      if (decision._tag === 'KeyTaken') return { _tag: 'KeyTaken', by: holderOf(decodePet(decision.by.document)) }
      if (decision._tag === 'IdTaken') {
        await raiseAboveStoredIds()
        return decision
      }
      document = petDocument(record, Math.max(-1, ...holders.map(({ turn }) => turn)) + 1)
    }
  }
}

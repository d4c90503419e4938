// Adds pets, many per command, and finds the pets that hold idempotency keys.
import * as O from 'fp-ts/lib/Option.js'
import type { Collection, Document, Filter, MongoServerError } from 'mongodb'
import type { Instant } from '../../../domain/codecs/instant.js'
import { type Added, heldAt, type IdempotencyKey, type PetRecord } from '../../../domain/pets/decide-add.js'
import type { Pet } from '../../../domain/pets/pet.js'
import { batch, READ_BATCHES, type SharedLimit } from '../batching/batch.js'
import { DURABLE_READ, isDuplicateKey, readDocuments, runWrite } from '../connection/commands.js'
import type { StoreContext } from '../connection/connection.js'
import { decodeHolderOrThrow, StoredInstant } from '../documents/decoding.js'
import {
  decodeHold,
  decodePet,
  HOLDER_MEMBERS,
  LINEAGE,
  LINEAGE_PATH,
  PETS,
  type PetDocument,
  petDocument,
  petsIn,
  type StoredHold,
  type StoredIdempotencyKey,
} from '../documents/pet-document.js'

/** One text for the two parts of a key. */
const nameOf = ({ lineage, key }: IdempotencyKey): string => `${lineage}\0${key}`

const storedKey = ({ [LINEAGE]: lineage, key }: StoredIdempotencyKey): IdempotencyKey => ({ lineage, key })

/** The documents that have held a key. */
const heldUnder = ({ lineage, key }: IdempotencyKey) => ({
  [LINEAGE_PATH]: lineage,
  'idempotency.key': key,
})

/** Looks up the latest holders of keys, expired or not. */
export const findHolders = async (
  pets: Collection<PetDocument>,
  keys: readonly IdempotencyKey[],
  projection: Document,
  condition: Filter<PetDocument> = {},
): Promise<(key: IdempotencyKey) => PetDocument | undefined> => {
  const byName = new Map(keys.map((key) => [nameOf(key), heldUnder(key)]))
  const filter = { ...condition, $or: [...byName.values()] }
  const holders = await readDocuments(pets, filter, { ...DURABLE_READ, projection, sort: { 'idempotency.turn': 1 } })
  // a map keeps the last of several entries with the same name: the newest turn
  const newest = new Map<string, PetDocument>()
  for (const holder of holders) if (holder.idempotency) newest.set(nameOf(storedKey(holder.idempotency)), holder)
  return (key) => newest.get(nameOf(key))
}

interface LookUp {
  readonly key: IdempotencyKey
  readonly at: Instant
}

export const makeFindByIdempotencyKey = ({ database, reportDamage, observe, deadlines }: StoreContext) => {
  const pets = petsIn(database)
  const holderOf = decodeHolderOrThrow(reportDamage)

  const findAll = async (lookUps: readonly LookUp[]): Promise<readonly (PetDocument | undefined)[]> => {
    const earliest = StoredInstant.encode(Math.min(...lookUps.map(({ at }) => at)))
    const keys = lookUps.map(({ key }) => key)
    // a key may have many expired turns
    const find = await findHolders(pets, keys, HOLDER_MEMBERS, { 'idempotency.expiresAt': { $gt: earliest } })
    return keys.map(find)
  }
  const find = batch(findAll, {
    ...READ_BATCHES,
    timeoutMs: deadlines.operationMs,
    observe: observe('pets.findByIdempotencyKey'),
  })

  return async (key: IdempotencyKey, at: Instant): Promise<O.Option<Pet>> => {
    const holder = await find({ key, at })
    if (holder === undefined) return O.none
    // a batch may find a key that has expired for this caller only
    const held = heldAt(O.some(holderOf(decodeHold(holder))), at)
    return O.isSome(held) ? O.some(holderOf(decodePet(holder))) : O.none
  }
}

/** Attempts to insert when the idempotency key is contended. */
const ATTEMPTS = 5

interface Holder extends StoredHold {
  readonly document: PetDocument
}

/** `renumber`: the record with another id, if its own is that of another document. Each was drawn, so few are. */
type Insert = (record: PetRecord, renumber: () => Promise<PetRecord>) => Promise<Added>

/**
 * Adds a record. If it was refused or its reply was lost, reads back what is stored. Safe to repeat with the latest record, because the
 * event id identifies the document.
 */
export const makePetInsertion = (
  { database, reportDamage, observe, deadlines }: StoreContext,
  inserts: SharedLimit,
): Insert => {
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
  const insert = batch(insertAll, {
    concurrency: 4,
    limit: inserts,
    maxItems: 500,
    timeoutMs: deadlines.operationMs,
    observe: observe('pets.add'),
  })

  const holdersOf = async (key: IdempotencyKey): Promise<readonly Holder[]> => {
    const documents = await readDocuments(pets, heldUnder(key), { ...DURABLE_READ, projection: HOLDER_MEMBERS })
    return documents.map((document) => ({ ...holderOf(decodeHold(document)), document }))
  }

  // reads the documents to find the reason of a refused insert: the details of the error depend on the server and on the batch
  return async (first, renumber) => {
    let record = first
    let turn = 0
    for (let attempt = 1; ; ) {
      const { event, idempotencyKey } = record
      const { id } = event.pet
      const error = await insert(petDocument(record, turn))
      if (O.isNone(error)) return { _tag: 'Added', id }
      if (!isDuplicateKey(error.value) || attempt === ATTEMPTS) throw error.value
      const options = { ...DURABLE_READ, projection: { event: 1 }, limit: 1 }
      const [stored]: readonly Partial<PetDocument>[] = await readDocuments(pets, { _id: id }, options)
      if (stored?.event?.id === event.eventId) return { _tag: 'Added', id }
      if (stored !== undefined) {
        record = await renumber()
        continue
      }
      attempt += 1
      const holders = O.isSome(idempotencyKey) ? await holdersOf(idempotencyKey.value) : []
      // the last to expire need not have the last turn, because others may have deleted earlier pets
      const [latest] = holders.toSorted((one, other) => other.expiresAt - one.expiresAt)
      const holder = heldAt(O.fromNullable(latest), event.time)
      if (O.isSome(holder)) return { _tag: 'KeyTaken', by: holderOf(decodePet(holder.value.document)) }
      turn = Math.max(-1, ...holders.map((held) => held.turn)) + 1
    }
  }
}

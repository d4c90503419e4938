// Adds pets, many per command, and finds the pets that hold idempotency keys.
import * as O from 'fp-ts/lib/Option.js'
import type { Collection, Filter, MongoServerError } from 'mongodb'
import type { Instant } from '../../../domain/codecs/scalar.js'
import { type Added, heldAt, type IdempotencyKey, type PetRecord } from '../../../domain/pets/decide-add.js'
import type { Pet } from '../../../domain/pets/pet.js'
import { batch, READ_BATCHES, type SharedLimit } from '../batch.js'
import { DURABLE_READ, isDuplicateKey, readDocuments, runWrite } from '../connection/commands.js'
import type { StoreContext } from '../connection/connection.js'
import {
  decodeHold,
  decodePet,
  HOLDER_MEMBERS,
  LINEAGE_PATH,
  PETS,
  type PetDocument,
  petDocument,
  petsIn,
  StoredInstant,
  soundOrThrow,
} from '../documents.js'

/**
 * Looks up the documents that have held keys, in the order in which the keys expire: the last one need not have the last turn, because
 * others may have deleted earlier pets.
 */
export const findHolders = async (
  pets: Collection<PetDocument>,
  keys: readonly IdempotencyKey[],
  condition: Filter<PetDocument> = {},
): Promise<(key: IdempotencyKey) => readonly PetDocument[]> => {
  const distinct = new Map(keys.map((key) => [`${key.lineage}\0${key.key}`, key]))
  const filters = [...distinct.values()].map(({ lineage, key }) => ({
    [LINEAGE_PATH]: lineage,
    'idempotency.key': key,
  }))
  const sort = { 'idempotency.expiresAt': 1 } as const
  const options = { ...DURABLE_READ, projection: HOLDER_MEMBERS, sort }
  // an empty condition is an error
  const holders = filters.length > 0 ? await readDocuments(pets, { ...condition, $or: filters }, options) : []
  return ({ lineage, key }) =>
    holders.filter(({ idempotency }) => idempotency?.key === key && idempotency.apiKeyId === lineage)
}

export const makeFindByIdempotencyKey = ({ database, reportDamage, batching }: StoreContext) => {
  const pets = petsIn(database)
  // without its holder, the key might get a second pet
  const holderOf = soundOrThrow(reportDamage)

  const findAll = async (lookUps: readonly { readonly key: IdempotencyKey; readonly at: Instant }[]) => {
    const earliest = StoredInstant.encode(Math.min(...lookUps.map(({ at }) => at)))
    const keys = lookUps.map(({ key }) => key)
    // a key may have many expired turns
    const holders = await findHolders(pets, keys, { 'idempotency.expiresAt': { $gt: earliest } })
    return keys.map((key) => holders(key).at(-1))
  }
  const find = batch(findAll, { ...READ_BATCHES, ...batching('pets.findByIdempotencyKey') })

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

/** `renumber`: the record with another id, if its own is that of another document. Each was drawn, so few are. */
type Insert = (record: PetRecord, renumber: () => Promise<PetRecord>) => Promise<Added>

/**
 * Adds a record. If it was refused or its reply was lost, reads back what is stored. Safe to repeat with the latest record, because the
 * event id identifies the document.
 */
export const makePetInsertion = ({ database, reportDamage, batching }: StoreContext, inserts: SharedLimit): Insert => {
  const pets = petsIn(database)
  const holderOf = soundOrThrow(reportDamage)

  const insertOne = async (document: PetDocument): Promise<MongoServerError | undefined> => {
    try {
      await pets.insertOne(document)
      return undefined
    } catch (error) {
      if (isDuplicateKey(error)) return error
      throw error
    }
  }

  /** The error of each document that was refused. */
  const insertAll = async (documents: readonly PetDocument[]): Promise<readonly (MongoServerError | undefined)[]> => {
    // for a single document the driver's operation is cheaper than the bare command (measured)
    if (documents.length === 1) return Promise.all(documents.map(insertOne))
    const errors = await runWrite(database, { insert: PETS, documents })
    return documents.map((_, at) => errors.get(at))
  }
  const insert = batch(insertAll, { concurrency: 4, limit: inserts, maxItems: 500, ...batching('pets.add') })

  // reads the documents to find the reason of a refused insert: the details of the error depend on the server and on the batch
  return async (first, renumber) => {
    let record = first
    let turn = 0
    for (let attempt = 1; ; ) {
      const { event, idempotencyKey } = record
      const { id } = event.pet
      const error = await insert(petDocument(record, turn))
      if (error === undefined) return { _tag: 'Added', id }
      if (!isDuplicateKey(error) || attempt === ATTEMPTS) throw error
      const options = { ...DURABLE_READ, projection: { event: 1 }, limit: 1 }
      const [stored]: readonly Partial<PetDocument>[] = await readDocuments(pets, { _id: id }, options)
      if (stored?.event?.id === event.eventId) return { _tag: 'Added', id }
      if (stored !== undefined) {
        record = await renumber()
        continue
      }
      attempt += 1
      const documents = O.isSome(idempotencyKey)
        ? (await findHolders(pets, [idempotencyKey.value]))(idempotencyKey.value)
        : []
      const holders = documents.map((document) => ({ ...holderOf(decodeHold(document)), document }))
      const holder = heldAt(O.fromNullable(holders.at(-1)), event.time)
      if (O.isSome(holder)) return { _tag: 'KeyTaken', by: holderOf(decodePet(holder.value.document)) }
      turn = Math.max(-1, ...holders.map((held) => held.turn)) + 1
    }
  }
}

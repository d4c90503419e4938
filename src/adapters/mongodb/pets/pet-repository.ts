// Adds pets to a MongoDB collection, many documents per command.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { MongoServerError } from 'mongodb'
import type { Unavailable } from '../../../domain/errors.js'
import { type Added, heldAt, type PetRecord, withId } from '../../../domain/pets/decide-add.js'
import type { PetId } from '../../../domain/pets/pet.js'
import type { PetRepository } from '../../../ports/pet-repository.js'
import { batch, type SharedLimit } from '../batch.js'
import { DURABLE_READ, isDuplicateKey, readDocuments, runWrite } from '../connection/commands.js'
import type { Database, StoreContext } from '../connection/connection.js'
import {
  decodeHold,
  decodePet,
  makeOrReportAndThrow,
  PETS,
  type PetDocument,
  petDocument,
  petsIn,
} from '../documents.js'
import type { IdCounter } from '../id-counter.js'
import { insertVoids } from '../log/gaps.js'
import { findHolders, makeFindByIdempotencyKey, makePetReading } from './pet-reading.js'

/** Attempts to insert when the idempotency key is contended. */
const ATTEMPTS = 5

/** `counts`: the connection for exact counts. `draw`: draws another id. `inserts`: shared with the drawing of ids. */
export const makeMongoPetRepository = (
  context: StoreContext,
  counts: Database,
  { raiseAboveStoredIds }: Pick<IdCounter, 'raiseAboveStoredIds'>,
  draw: () => Promise<PetId>,
  inserts: SharedLimit,
): PetRepository => {
  const { database, run, storage, deadlines, reportDamage, batching } = context
  const pets = petsIn(database)
  const holderOf = makeOrReportAndThrow(reportDamage)
  const { findById, findPage, count } = makePetReading(context, counts)
  const findByIdempotencyKey = makeFindByIdempotencyKey(context)
  const closeId = batch((ids: readonly bigint[]) => insertVoids(database, ids), {
    concurrency: 1,
    maxItems: 500,
    timeoutMs: deadlines.operationMs,
  })

  /** The error of each document; undefined if it was inserted. */
  const insertAll = async (documents: readonly PetDocument[]): Promise<readonly (MongoServerError | undefined)[]> => {
    const errors = await runWrite(database, { insert: PETS, documents })
    return documents.map((_, at) => errors.get(at))
  }
  const insert = batch(insertAll, { concurrency: 4, limit: inserts, maxItems: 500, ...batching('pets.add') })

  const add = async ({ event: proposed, idempotencyKey }: PetRecord): Promise<E.Either<Unavailable, Added>> => {
    // kept across attempts: one whose reply was lost may have added the record under its latest id
    let event = proposed
    let isOver = false

    /** Idempotent, by event id. Reads back why an insert was refused, because the error depends on server and batch. */
    const insertRecord = async (): Promise<Added> => {
      let generation = 0
      for (let attempt = 1; ; ) {
        const { id } = event.pet
        const error = await insert(petDocument({ event, idempotencyKey }, generation))
        if (error === undefined) return { _tag: 'Added', id }
        if (!isDuplicateKey(error) || attempt === ATTEMPTS) throw error
        const options = { ...DURABLE_READ, projection: { event: 1 }, limit: 1 }
        const [stored]: readonly Partial<PetDocument>[] = await readDocuments(pets, { _id: id }, options)
        if (stored?.event?.id === event.eventId) return { _tag: 'Added', id }
        if (stored !== undefined) {
          if (isOver) throw new Error('the time of this create is over')
          await raiseAboveStoredIds()
          event = withId(event, await draw())
          continue
        }
        attempt += 1
        const key = O.toUndefined(idempotencyKey)
        const documents = key === undefined ? [] : (await findHolders(pets, [{ key }]))(key)
        const holders = documents.map((document) => ({ ...holderOf(decodeHold(document)), document }))
        const holder = heldAt(O.fromNullable(holders.at(-1)), event.time)
        if (O.isSome(holder)) return { _tag: 'KeyTaken', by: holderOf(decodePet(holder.value.document)) }
        generation = Math.max(-1, ...holders.map((held) => held.generation)) + 1
      }
    }

    const added = await run(insertRecord)()
    isOver = true
    if (E.isLeft(added) || added.right._tag === 'KeyTaken') {
      // so that readers of the log do not wait for this id; if this fails, they close it later
      closeId(event.pet.id).catch(() => {})
    }
    return added
  }

  return {
    storage,
    add: (record) => () => add(record),
    findByIdempotencyKey: (key, at) => run(() => findByIdempotencyKey(key, at)),
    findById: (id) => run(() => findById(id)),
    findPage: (query) => run(() => findPage(query)),
    count: (filter) => run(() => count(filter), deadlines.countMs),
  }
}

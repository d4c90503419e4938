// Pets in a MongoDB collection, one document each. Damaged documents are reported and left out.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { BSON, type Document, type FindOptions } from 'mongodb'
import type { Unavailable } from '../../../domain/errors.js'
import { type Added, type PetRecord, withId } from '../../../domain/pets/decide-add.js'
import type { Pet, PetId } from '../../../domain/pets/pet.js'
import { type PetPage, type PetQuery, pageOf, queryKey } from '../../../domain/pets/pet-query.js'
import type { PetRepository } from '../../../ports/pet-repository.js'
import { batch, dedupe, READ_BATCHES, type SharedLimit } from '../batching/batch.js'
import type { Database } from '../connection/client.js'
import { readDocuments } from '../connection/commands.js'
import type { StoreContext } from '../connection/connection.js'
import { soundWith } from '../documents/decoding.js'
import { decodePet, isVoid, PET_MEMBERS, PETS, type PetDocument, petsIn } from '../documents/pet-document.js'
import type { IdCounter } from '../id-counter.js'
import type { UnusedIds } from '../id-generator.js'
import { makePetCounting, matching } from './pet-filter.js'
import { makeFindByIdempotencyKey, makePetInsertion } from './pet-insertion.js'

/** Reads the newest matches of a filter: one range of one index, as many keys as documents and voids between them. */
export const newestFirst = (limit: number): FindOptions => ({
  projection: PET_MEMBERS,
  sort: { _id: -1 },
  limit,
  batchSize: limit + 1,
})

interface FindReply {
  /** The id is 0 if the batch has all documents. */
  readonly cursor?: { readonly id: bigint | number; readonly firstBatch: readonly PetDocument[] }
}

/** Damaged pets that this process remembers; exact counts include any others. */
const MAX_DAMAGED = 10_000

/** `damaged`: the ids of damaged pets that this process has met. */
const makePetReading = (
  { database, reportDamage, observe, deadlines: { operationMs: timeoutMs } }: StoreContext,
  damaged: Set<bigint>,
) => {
  const pets = petsIn(database)
  const sound = soundWith(reportDamage)
  const soundOf = RA.filterMap((document: PetDocument) => {
    if (isVoid(document)) return O.none
    const pet = sound(decodePet(document))
    if (O.isSome(pet)) damaged.delete(document._id)
    else if (damaged.size < MAX_DAMAGED) damaged.add(document._id)
    return pet
  })

  // a bare command: with a cursor of the driver, a read takes a fifth more CPU (measured)
  const findBatch = async (filter: Document): Promise<readonly PetDocument[] | undefined> => {
    const command = { find: PETS, filter, projection: PET_MEMBERS }
    try {
      const { cursor }: FindReply = await database.command(command, { useBigInt64: true })
      // a first batch holds 101 documents, more than `maxItems`
      return cursor !== undefined && Number(cursor.id) === 0 ? cursor.firstBatch : undefined
    } catch (error) {
      if (error instanceof BSON.BSONError) return undefined
      throw error
    }
  }

  const findDocuments = async (ids: ReadonlySet<bigint>): Promise<readonly PetDocument[]> => {
    const [only, ...others] = ids
    const batch = await findBatch({ _id: others.length === 0 ? only : { $in: [...ids] } })
    if (batch !== undefined) return batch
    // more than 16 MiB, or bytes that are not UTF-8, which only another program can have stored; the first cursor ends by itself
    return readDocuments(pets, { _id: { $in: [...ids] } }, { projection: PET_MEMBERS })
  }

  const findAll = async (ids: readonly bigint[]): Promise<readonly O.Option<Pet>[]> => {
    const documents = await findDocuments(new Set(ids))
    const found = new Map(soundOf(documents).map((pet) => [String(pet.id), pet]))
    return ids.map((id) => O.fromNullable(found.get(String(id))))
  }

  const loadPage = async (query: PetQuery, remainingMs: number): Promise<PetPage> => {
    const end = performance.now() + remainingMs
    const found: Pet[] = []
    let before = query.before
    // the next documents replace damaged ones on the page
    while (found.length <= query.limit) {
      const wanted = query.limit + 1 - found.length
      const documents = await readDocuments(pets, matching(query, before), newestFirst(wanted))
      found.push(...soundOf(documents))
      const last = documents.at(-1)
      if (documents.length < wanted || last === undefined) break
      if (performance.now() > end) throw new Error('too many damaged documents to complete a page in time')
      before = O.some(last._id)
    }
    return pageOf(found, query.limit)
  }

  return {
    findById: batch(findAll, { ...READ_BATCHES, timeoutMs, observe: observe('pets.findById') }),
    // pages never use all connections, so that some are left for creates
    findPage: dedupe(queryKey, loadPage, {
      concurrency: 16,
      concurrencyPerKey: 2,
      timeoutMs,
      observe: observe('pets.findPage'),
    }),
  }
}

export interface PetRepositorySettings {
  /** The database connection for exact counts. */
  readonly counts: Pick<Database, 'open'>
  readonly counter: Pick<IdCounter, 'raiseAboveStoredIds'>
  readonly draw: () => Promise<PetId>
  readonly unusedIds: Pick<UnusedIds, 'use' | 'close'>
  readonly inserts: SharedLimit
}

export const makeMongoPetRepository = (
  context: StoreContext,
  { counts, counter, draw, unusedIds, inserts }: PetRepositorySettings,
): PetRepository => {
  const { run, storage } = context
  const damaged = new Set<bigint>()
  const insert = makePetInsertion(context, inserts)
  const { findById, findPage } = makePetReading(context, damaged)
  const count = makePetCounting(context, counts, damaged)
  const findByIdempotencyKey = makeFindByIdempotencyKey(context)

  /** An id that the pet did not get is closed at once, because readers of the log would wait for it. */
  const add = async (record: PetRecord): Promise<E.Either<Unavailable, Added>> => {
    // kept over attempts: one whose reply was lost may have added the record under its latest id
    let latest = record
    let isDrawn = unusedIds.use(record.event.pet.id)
    let isOver = false
    const renumber = async (): Promise<PetRecord> => {
      await counter.raiseAboveStoredIds()
      const id = await draw()
      if (isOver) {
        unusedIds.close(id)
        throw new Error('the time of this create is over')
      }
      isDrawn = true
      latest = { ...record, event: withId(record.event, id) }
      return latest
    }
    const added = await run(() => insert(latest, renumber))()
    isOver = true
    if (isDrawn && (E.isLeft(added) || added.right._tag === 'KeyTaken')) unusedIds.close(latest.event.pet.id)
    return added
  }

  return {
    storage,
    add: (record) => () => add(record),
    findByIdempotencyKey: (key, at) => run(() => findByIdempotencyKey(key, at)),
    findById: (id) => run(() => findById(id)),
    findPage: (query) => run(() => findPage(query)),
    count: (filter) => run(() => count(filter), context.deadlines.countMs),
  }
}

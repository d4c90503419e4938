// Pets in a MongoDB collection, one document each. Damaged documents are reported and left out.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { BSON, type FindOptions } from 'mongodb'
import type { Unavailable } from '../../../domain/errors.js'
import { type Added, type PetRecord, withId } from '../../../domain/pets/decide-add.js'
import type { Pet, PetId } from '../../../domain/pets/pet.js'
import { type PetPage, type PetQuery, pageOf, queryKey } from '../../../domain/pets/pet-query.js'
import type { PetRepository } from '../../../ports/pet-repository.js'
import { batch, dedupe, READ_BATCHES, type SharedLimit } from '../batch.js'
import { readDocuments } from '../connection/commands.js'
import type { Database, StoreContext } from '../connection/connection.js'
import { decodePet, isVoid, PET_MEMBERS, PETS, type PetDocument, petsIn, soundWith } from '../documents.js'
import type { IdCounter } from '../id-counter.js'
import { insertVoids } from '../log/gaps.js'
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
const makePetReading = ({ database, reportDamage, batching }: StoreContext, damaged: Set<bigint>) => {
  const pets = petsIn(database)
  const sound = soundWith(reportDamage)
  const soundOf = RA.filterMap((document: PetDocument) => {
    if (isVoid(document)) return O.none
    const pet = sound(decodePet(document))
    if (O.isSome(pet)) damaged.delete(document._id)
    else if (damaged.size < MAX_DAMAGED) damaged.add(document._id)
    return pet
  })

  const findDocuments = async (ids: readonly bigint[]): Promise<readonly PetDocument[]> => {
    const filter = ids.length === 1 ? { _id: ids[0] } : { _id: { $in: ids } }
    const command = { find: PETS, filter, projection: PET_MEMBERS }
    try {
      // a bare command: with a cursor of the driver, a read takes a fifth more CPU (measured)
      const { cursor }: FindReply = await database.command(command, { useBigInt64: true })
      // a first batch holds 101 documents, more than `maxItems`
      if (cursor !== undefined && Number(cursor.id) === 0) return cursor.firstBatch
    } catch (error) {
      if (!(error instanceof BSON.BSONError)) throw error
    }
    // more than 16 MiB, or bytes that are not UTF-8, which only another program can have stored; the first cursor ends by itself
    return readDocuments(pets, { _id: { $in: ids } }, { projection: PET_MEMBERS })
  }

  const findAll = async (ids: readonly bigint[]): Promise<readonly O.Option<Pet>[]> => {
    const documents = await findDocuments([...new Set(ids)])
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
    findById: batch(findAll, { ...READ_BATCHES, ...batching('pets.findById') }),
    // pages never use all connections, so that some are left for creates
    findPage: dedupe(queryKey, loadPage, { concurrency: 16, ...batching('pets.findPage') }),
  }
}

/** `counts`: the connection for exact counts. `draw`: another id. `inserts`: shared with the drawing of ids. */
export const makeMongoPetRepository = (
  context: StoreContext,
  counts: Pick<Database, 'open'>,
  { raiseAboveStoredIds }: Pick<IdCounter, 'raiseAboveStoredIds'>,
  draw: () => Promise<PetId>,
  inserts: SharedLimit,
): PetRepository => {
  const { database, run, storage, deadlines } = context
  const damaged = new Set<bigint>()
  const insert = makePetInsertion(context, inserts)
  const { findById, findPage } = makePetReading(context, damaged)
  const count = makePetCounting(context, counts, damaged)
  const findByIdempotencyKey = makeFindByIdempotencyKey(context)
  const closeId = batch((ids: readonly bigint[]) => insertVoids(database, ids), {
    concurrency: 1,
    maxItems: 500,
    timeoutMs: deadlines.operationMs,
  })

  const add = async (record: PetRecord): Promise<E.Either<Unavailable, Added>> => {
    // kept over attempts: one whose reply was lost may have added the record under its latest id
    let latest = record
    let isOver = false
    const renumber = async (): Promise<PetRecord> => {
      if (isOver) throw new Error('the time of this create is over')
      await raiseAboveStoredIds()
      latest = { ...record, event: withId(record.event, await draw()) }
      return latest
    }
    const added = await run(() => insert(latest, renumber))()
    isOver = true
    if (E.isLeft(added) || added.right._tag === 'KeyTaken') {
      // readers of the log would wait for this id; if this fails, they close it later
      closeId(latest.event.pet.id).catch(() => {})
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

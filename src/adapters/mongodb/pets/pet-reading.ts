// Reads pets by id, in pages and by idempotency key, and counts them. Pages report damaged documents and leave them out.
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { BSON, type Collection, type Filter, type FindOptions } from 'mongodb'
import type { Instant } from '../../../domain/codecs/scalar.js'
import { heldAt, type IdempotencyKey } from '../../../domain/pets/decide-add.js'
import type { Pet } from '../../../domain/pets/pet.js'
import {
  ALL_PETS,
  filterKey,
  type PetFilter,
  type PetPage,
  type PetQuery,
  pageOf,
  queryKey,
} from '../../../domain/pets/pet-query.js'
import { batch, dedupe, READ_BATCHES } from '../batch.js'
import { DURABLE_READ, readDocuments } from '../connection/commands.js'
import type { Database, StoreContext } from '../connection/connection.js'
import {
  decodeHold,
  decodePet,
  HOLDER_MEMBERS,
  isVoid,
  LINEAGE_PATH,
  makeOrReport,
  makeOrReportAndThrow,
  NOT_VOID,
  PET_IDS,
  PET_MEMBERS,
  PETS,
  type PetDocument,
  petsIn,
  StoredInstant,
  VOIDS,
} from '../documents.js'

/** Documents that match the filter with a smaller id. */
export const matching = ({ status, ids }: PetFilter, before: O.Option<bigint> = O.none): Filter<PetDocument> => {
  const bound = O.isSome(before) ? { ...PET_IDS, $lt: before.value } : PET_IDS
  // a new member of the filter does not compile until it is handled here
  const conditions: Readonly<Record<keyof PetFilter, Filter<PetDocument>>> = {
    ids: { _id: O.isSome(ids) ? { ...bound, $in: [...ids.value] } : bound },
    // a void has no status
    status: O.isSome(status) ? { status: status.value } : NOT_VOID,
  }
  const all: Filter<PetDocument> = {}
  for (const condition of Object.values(conditions)) Object.assign(all, condition)
  return all
}

/** Reads the newest matches of a filter: scans one range of one index, and only keys of results and voids. */
export const newestFirst = (limit: number): FindOptions => ({
  projection: PET_MEMBERS,
  sort: { _id: -1 },
  limit,
  batchSize: limit + 1,
})

interface FindReply {
  /** The id is 0 if the batch contains all documents. */
  readonly cursor?: { readonly id: bigint | number; readonly firstBatch: readonly PetDocument[] }
}

const ALL_KEY = filterKey(ALL_PETS)

/** `counts`: the connection for exact counts. */
export const makePetReading = ({ database, reportDamage, batching, deadlines }: StoreContext, counts: Database) => {
  const pets = petsIn(database)
  const orReport = makeOrReport(reportDamage)
  const decodedOf = RA.filterMap((document: PetDocument) => (isVoid(document) ? O.none : orReport(decodePet(document))))

  const findDocuments = async (ids: readonly bigint[]): Promise<readonly PetDocument[]> => {
    const filter = ids.length === 1 ? { _id: ids[0] } : { _id: { $in: ids } }
    const command = { find: PETS, filter, projection: PET_MEMBERS }
    try {
      // a bare command, because the driver's cursors take 20 % more CPU (measured)
      const { cursor }: FindReply = await database.command(command, { useBigInt64: true })
      // complete unless it is too large: a first batch holds 101 documents, more than `maxItems`
      if (cursor !== undefined && Number(cursor.id) === 0) return cursor.firstBatch
    } catch (error) {
      if (!(error instanceof BSON.BSONError)) throw error
    }
    // more than 16 MiB, or not UTF-8: stored by another program. The first cursor times out on the server
    return readDocuments(pets, { _id: { $in: ids } }, { projection: PET_MEMBERS })
  }

  const findAll = async (ids: readonly bigint[]): Promise<readonly O.Option<Pet>[]> => {
    const documents = await findDocuments([...new Set(ids)])
    const found = new Map(decodedOf(documents).map((pet) => [String(pet.id), pet]))
    return ids.map((id) => O.fromNullable(found.get(String(id))))
  }

  const loadPage = async (query: PetQuery, remainingMs: number): Promise<PetPage> => {
    const end = performance.now() + remainingMs
    const found: Pet[] = []
    let before = query.before
    // reads on to fill the place of damaged documents
    while (found.length <= query.limit) {
      const wanted = query.limit + 1 - found.length
      const documents = await readDocuments(pets, matching(query, before), newestFirst(wanted))
      found.push(...decodedOf(documents))
      const last = documents.at(-1)
      if (documents.length < wanted || last === undefined) break
      if (performance.now() > end) throw new Error('too many damaged documents to complete a page in time')
      before = O.some(last._id)
    }
    return pageOf(found, query.limit)
  }

  const countPets = async (filter: PetFilter, remainingMs: number): Promise<number> => {
    const end = performance.now() + remainingMs
    const counted = petsIn(await counts.open())
    // the database cancels a count when its callers give up
    const count = (condition: Filter<PetDocument>): Promise<number> =>
      counted.countDocuments(condition, { maxTimeMS: Math.max(1, Math.ceil(end - performance.now())) })
    if (filterKey(filter) !== ALL_KEY) return count(matching(filter))
    // the index of ids does not tell voids from pets, so voids are counted in their index and subtracted
    for (let voids = await count(VOIDS); ; ) {
      const all = await count({ _id: PET_IDS })
      const before = voids
      voids = await count(VOIDS)
      // otherwise voids were added meanwhile, and it is unknown whether `all` includes them
      if (voids === before) return all - voids
    }
  }

  return {
    findById: batch(findAll, { ...READ_BATCHES, ...batching('pets.findById') }),
    // pages must not use all connections, to leave some for creates
    findPage: dedupe(queryKey, loadPage, { concurrency: 16, ...batching('pets.findPage') }),
    count: dedupe(filterKey, countPets, { concurrency: 2, ...batching('pets.count'), timeoutMs: deadlines.countMs }),
  }
}

/** Documents that have held keys, by expiry. The last one need not have the highest generation if pets were deleted. */
export const findHolders = async (
  pets: Collection<PetDocument>,
  lookUps: readonly { readonly key: IdempotencyKey }[],
  condition: Filter<PetDocument> = {},
): Promise<(key: IdempotencyKey) => readonly PetDocument[]> => {
  const filters = lookUps.map(({ key: { lineage, key } }) => ({ [LINEAGE_PATH]: lineage, 'idempotency.key': key }))
  const options = { ...DURABLE_READ, projection: HOLDER_MEMBERS, sort: { 'idempotency.expiresAt': 1 } } as const
  // MongoDB refuses an empty `$or`
  const holders = filters.length > 0 ? await readDocuments(pets, { ...condition, $or: filters }, options) : []
  return ({ lineage, key }) =>
    holders.filter(({ idempotency }) => idempotency?.key === key && idempotency.apiKeyId === lineage)
}

export const makeFindByIdempotencyKey = ({ database, reportDamage, batching }: StoreContext) => {
  const pets = petsIn(database)
  // throws, because a key whose holder seems missing could get a second pet
  const holderOf = makeOrReportAndThrow(reportDamage)

  const findAll = async (lookUps: readonly { readonly key: IdempotencyKey; readonly at: Instant }[]) => {
    const earliest = StoredInstant.encode(Math.min(...lookUps.map(({ at }) => at)))
    // the condition skips expired turns, of which a key may have many
    const holders = await findHolders(pets, lookUps, { 'idempotency.expiresAt': { $gt: earliest } })
    return lookUps.map(({ key }) => holders(key).at(-1))
  }
  const find = batch(findAll, { ...READ_BATCHES, ...batching('pets.findByIdempotencyKey') })

  return async (key: IdempotencyKey, at: Instant): Promise<O.Option<Pet>> => {
    const holder = await find({ key, at })
    if (holder === undefined) return O.none
    // the batch uses the earliest time, so the key may have expired for this caller
    const held = heldAt(O.some(holderOf(decodeHold(holder))), at)
    return O.isSome(held) ? O.some(holderOf(decodePet(holder))) : O.none
  }
}

// Finds pets: by id, many to a command; by page, equal ones that wait sharing a command; damaged documents left out.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Collection, Db, Filter } from 'mongodb'
import { MAX_INT64 } from '../../domain/int64.js'
import type { Pet } from '../../domain/pet.js'
import { type PetFilter, type PetPage, type PetQuery, pageOf } from '../../domain/pet-query.js'
import type { ReportDamage } from '../../ports/damage-report.js'
import { coalesce, coalesceEqual } from './coalesce.js'
import { OPERATION_LIMIT } from './connection.js'
import { decodePet, PET_MEMBERS, type PetDocument } from './pet-document.js'

/** The documents of a filter below an id; the bound also keeps ids that are no numbers out, whatever the order. */
export const matching = ({ status, ids }: PetFilter, before: O.Option<bigint> = O.none): Filter<PetDocument> => ({
  _id: {
    ...(O.isSome(before) ? { $lt: before.value } : { $lte: MAX_INT64 }),
    ...(O.isSome(ids) && { $in: [...ids.value] }),
  },
  ...(O.isSome(status) && { status: status.value }),
})

/** The newest documents of a filter: one range of one index, as many keys as documents. */
export const newest = (pets: Collection<PetDocument>, filter: Filter<PetDocument>, count: number) =>
  pets.find(filter, { projection: PET_MEMBERS, sort: { _id: -1 }, limit: count, batchSize: count + 1 })

const keyOf = ({ limit, status, ids, before }: PetQuery): string =>
  [limit, O.isSome(status) && status.value, O.isSome(before) && before.value, O.isSome(ids) && ids.value].join()

interface FindReply {
  readonly cursor?: { readonly firstBatch: readonly PetDocument[] }
}

export const makePetReading = (database: Db, pets: Collection<PetDocument>, reportDamage: ReportDamage) => {
  const soundOf = (documents: readonly PetDocument[]): Pet[] =>
    documents.flatMap((document) => {
      const pet = decodePet(document)
      if (E.isRight(pet)) return [pet.right]
      reportDamage(pet.left)
      return []
    })

  // the bare command: a cursor would cost a read that goes alone a fifth more
  const findOne = async (id: bigint): Promise<readonly PetDocument[]> => {
    const reply: FindReply = await database.command(
      { find: pets.collectionName, filter: { _id: id }, projection: PET_MEMBERS, limit: 1, singleBatch: true },
      { useBigInt64: true },
    )
    return reply.cursor?.firstBatch ?? []
  }

  const findMany = (ids: readonly bigint[]): Promise<readonly PetDocument[]> =>
    pets.find({ _id: { $in: [...new Set(ids)] } }, { projection: PET_MEMBERS, batchSize: ids.length + 1 }).toArray()

  const findAll = async (ids: readonly bigint[]): Promise<readonly O.Option<Pet>[]> => {
    const [only, ...others] = ids
    const documents = only !== undefined && others.length === 0 ? await findOne(only) : await findMany(ids)
    const found = new Map(soundOf(documents).map((pet) => [String(pet.id), pet]))
    return ids.map((id) => O.fromNullable(found.get(String(id))))
  }

  const loadPage = async (query: PetQuery): Promise<PetPage> => {
    const found: Pet[] = []
    let before = query.before
    // damaged documents leave room, which the next ones fill
    while (found.length <= query.limit) {
      const wanted = query.limit + 1 - found.length
      const documents = await newest(pets, matching(query, before), wanted).toArray()
      found.push(...soundOf(documents))
      const last = documents.at(-1)
      if (documents.length < wanted || last === undefined) break
      before = O.some(last._id)
    }
    return pageOf(found, query.limit)
  }

  return {
    findById: coalesce(findAll, { flushes: 4, size: 100, patience: OPERATION_LIMIT }),
    findPage: coalesceEqual(keyOf, loadPage, { flushes: 2, size: 1_000, patience: OPERATION_LIMIT }),
  }
}

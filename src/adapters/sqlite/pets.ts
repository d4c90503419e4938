// Pets and ids of new pets. Reads use the connection of the main thread; writes go to the writer thread.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { heldAt, idAbove } from '../../domain/pets/decide-add.js'
import type { Pet } from '../../domain/pets/pet.js'
import { type PetFilter, type PetPage, type PetQuery, pageOf, queryKey } from '../../domain/pets/pet-query.js'
import { setBounded } from '../../domain/set-bounded.js'
import type { ReportDamage } from '../../ports/notice.js'
import type { Store } from '../../ports/store.js'
import { type Connection, read, type Sql } from './file/connection.js'
import { decodePet, findHolder, type Holder, lastId, PET_COLUMNS, type PetRow, valuesOf } from './records.js'
import type { Writer } from './writing/writer.js'

export interface Access extends Pick<Writer, 'write'> {
  /** The read-only connection of the main thread; each statement sees its own snapshot. */
  readonly connection: Connection
  readonly storage: symbol
  readonly reportDamage: ReportDamage
}

const jsonOf = (ids: readonly bigint[]) => `[${ids.join()}]`

const condition = (sql: string) => O.map((value: bigint | string) => ({ sql, value }))

const COUNT: Sql<[bigint]> = 'SELECT ifnull(sum(pets), 0) FROM counts WHERE status = ifnull(?, status)'

const BY_ID: Sql<PetRow> = `SELECT ${PET_COLUMNS} FROM pets WHERE id = ?`

/** Pages cached until the next commit of any process: at most 20 MiB. A hit takes 5 µs instead of 80 (measured). */
const REMEMBERED_PAGES = 100

export const makeSqlitePets = ({ connection, storage, write, reportDamage }: Access): Pick<Store, 'pets' | 'ids'> => {
  const pages = new Map<string, PetPage>()
  let version: unknown
  /** The last id proposed here. The writer thread raises a proposal that another process has used. */
  let last = lastId(connection)

  const orReport = (row: PetRow): readonly Pet[] => {
    const pet = decodePet(row)
    if (E.isRight(pet)) return [pet.right]
    reportDamage(pet.left)
    return []
  }

  /** Newest first. `satisfies` rejects a member of the query that is not handled here. */
  const select = ({ status, ids, before }: Omit<PetQuery, 'limit'>, limit = -1): readonly PetRow[] => {
    const conditions = {
      status: condition('status = ?')(status),
      ids: condition('id IN (SELECT value FROM json_each(?))')(O.map(jsonOf)(ids)),
      before: condition('id < ?')(before),
    } satisfies Record<Exclude<keyof PetQuery, 'limit'>, unknown>
    const given = RA.compact(Object.values(conditions))
    const where = given.map((one) => one.sql).join(' AND ') || 'TRUE'
    const sql: Sql<PetRow> = `SELECT ${PET_COLUMNS} FROM pets WHERE ${where} ORDER BY id DESC LIMIT ?`
    return connection.all(sql, ...given.map(({ value }) => value), limit)
  }

  const findById = (id: bigint): O.Option<Pet> => {
    const row = connection.first(BY_ID, id)
    return row === undefined ? O.none : RA.head(orReport(row))
  }

  const loadPage = (query: PetQuery): PetPage => {
    const found: Pet[] = []
    let { before } = query
    // reads on to fill the place of damaged pets
    for (;;) {
      const wanted = query.limit + 1 - found.length
      const rows = select({ ...query, before }, wanted)
      found.push(...rows.flatMap(orReport))
      if (rows.length < wanted || found.length > query.limit) return pageOf(found, query.limit)
      before = O.map(([id]: PetRow) => id)(RA.last(rows))
    }
  }

  const findPage = (query: PetQuery): PetPage => {
    const latest = connection.pragma('data_version')
    if (latest !== version) pages.clear()
    version = latest
    const key = queryKey(query)
    const known = pages.get(key)
    if (known !== undefined) return known
    const page = loadPage(query)
    setBounded(pages, REMEMBERED_PAGES, key, page)
    return page
  }

  const count = ({ ids, status }: PetFilter): number =>
    O.isSome(ids)
      ? select({ ids, status, before: O.none }).length
      : Number(connection.first(COUNT, O.toNullable(status))?.[0])

  /** The pet that holds an idempotency key. Throws if it is damaged or missing. */
  const holderOf = ({ petId }: Holder): Pet => {
    const pet = findById(petId)
    if (O.isNone(pet)) throw new Error(`pet ${petId}, which holds the idempotency key, cannot be read`)
    return pet.value
  }

  return {
    pets: {
      storage,
      add: (record) => async () => {
        const result = await write('add', valuesOf(record))()
        if (E.isLeft(result)) return result
        const { right } = result
        if (typeof right !== 'bigint') return read(() => ({ ...right, by: holderOf(right.by) }))()
        if (right > last) last = right
        return E.right({ _tag: 'Added', id: right })
      },
      findByIdempotencyKey: (key, at) => read(() => O.map(holderOf)(heldAt(findHolder(connection, key), at))),
      findById: (id) => read(() => findById(id)),
      findPage: (query) => read(() => findPage(query)),
      count: (filter) => read(() => count(filter)),
    },
    ids: {
      storage,
      next: async () => {
        const id = idAbove(last, last + 1n)
        if (E.isRight(id)) last = id.right
        return id
      },
    },
  }
}

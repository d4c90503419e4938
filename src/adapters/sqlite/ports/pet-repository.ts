// Pets in the database: reads on the main thread's connection, each statement a snapshot of its own.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { Instant } from '../../../domain/codecs/scalar.js'
import { heldAt, type IdempotencyKey } from '../../../domain/pets/decide-add.js'
import type { Pet } from '../../../domain/pets/pet.js'
import { type PetFilter, type PetPage, type PetQuery, pageOf, queryKey } from '../../../domain/pets/pet-query.js'
import { setBounded } from '../../../domain/set-bounded.js'
import type { PetRepository } from '../../../ports/pet-repository.js'
import type { Sql } from '../file/connection.js'
import { decodePet, findHolder, heldPet, PET_COLUMNS, type PetRow } from '../records.js'
import { valuesOf } from '../writing/pet-values.js'
import { type Access, read } from './access.js'

type Condition = readonly [sql: string, value: bigint | string]

/** A new member of the filter does not compile until it is here. */
const CONDITIONS: Readonly<Record<keyof PetFilter, (filter: PetFilter) => O.Option<Condition>>> = {
  status: ({ status }) => O.map((wanted: string): Condition => ['status = ?', wanted])(status),
  ids: ({ ids }) =>
    O.map((all: readonly bigint[]): Condition => ['id IN (SELECT value FROM json_each(?))', `[${all.join()}]`])(ids),
}

const conditionsOf = (filter: PetFilter): readonly Condition[] =>
  RA.compact(Object.values(CONDITIONS).map((condition) => condition(filter)))

const BY_ID: Sql<PetRow> = `SELECT ${PET_COLUMNS} FROM pets WHERE id = ?`

/** Pages that are remembered until the next commit of any process. One that is costs 5 µs instead of 80 (measured). */
const REMEMBERED_PAGES = 1_000

/** Damaged pets that this process remembers; exact counts include any others. */
const MAX_DAMAGED = 10_000

export const makeSqlitePetRepository = ({ connection, storage, write, reportDamage, added }: Access): PetRepository => {
  const damaged = new Set<bigint>()
  const pages = new Map<string, PetPage>()
  let version: unknown

  const sound = (row: PetRow): readonly Pet[] => {
    const [id] = row
    const pet = decodePet(row)
    if (E.isRight(pet)) {
      damaged.delete(id)
      return [pet.right]
    }
    if (damaged.size < MAX_DAMAGED) damaged.add(id)
    reportDamage(pet.left)
    return []
  }

  const select = (conditions: readonly Condition[], limit = -1): readonly PetRow[] => {
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`
    const sql: Sql<PetRow> = `SELECT ${PET_COLUMNS} FROM pets ${where} ORDER BY id DESC LIMIT ?`
    return connection.all(sql, ...conditions.map(([, value]) => value), limit)
  }

  const findById = (id: bigint): O.Option<Pet> => {
    const row = connection.first(BY_ID, id)
    return row === undefined ? O.none : O.fromNullable(sound(row)[0])
  }

  const loadPage = (query: PetQuery): PetPage => {
    const found: Pet[] = []
    let { before } = query
    // the next pets replace damaged ones on the page
    for (;;) {
      const wanted = query.limit + 1 - found.length
      const position = RA.fromOption(O.map((value: bigint): Condition => ['id < ?', value])(before))
      const rows = select([...conditionsOf(query), ...position], wanted)
      found.push(...rows.flatMap(sound))
      const last = rows.at(-1)
      if (rows.length < wanted || last === undefined || found.length > query.limit) return pageOf(found, query.limit)
      before = O.some(last[0])
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

  const count = (filter: PetFilter): number => {
    const { ids, status } = filter
    if (O.isSome(ids)) return select(conditionsOf(filter)).flatMap(sound).length
    const [where, values] = O.isSome(status) ? ['WHERE status = ?', [status.value]] : ['', []]
    const all = Number(connection.first(`SELECT ifnull(sum(pets), 0) FROM counts ${where}`, ...values)?.[0])
    return damaged.size === 0 ? all : all - select(conditionsOf({ status, ids: O.some([...damaged]) })).length
  }

  const findByIdempotencyKey = (key: IdempotencyKey, at: Instant): O.Option<Pet> =>
    O.map(({ petId }: { readonly petId: bigint }) => heldPet(petId, findById(petId)))(
      heldAt(findHolder(connection, key), at),
    )

  return {
    storage,
    add: (record) => async () => {
      const result = await write('add', valuesOf(record))()
      if (E.isLeft(result)) return result
      if (typeof result.right !== 'bigint') return E.right(result.right)
      added(result.right)
      return E.right({ _tag: 'Added', id: result.right })
    },
    findByIdempotencyKey: (key, at) => read(() => findByIdempotencyKey(key, at)),
    findById: (id) => read(() => findById(id)),
    findPage: (query) => read(() => findPage(query)),
    count: (filter) => read(() => count(filter)),
  }
}

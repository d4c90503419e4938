// Pets in the database: reads on the main thread's connection, each statement a snapshot of its own.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { Instant } from '../../../domain/codecs/instant.js'
import { heldAt, type IdempotencyKey } from '../../../domain/pets/decide-add.js'
import type { Pet } from '../../../domain/pets/pet.js'
import { type PetFilter, type PetPage, type PetQuery, pageOf, queryKey } from '../../../domain/pets/pet-query.js'
import { setBounded } from '../../../domain/set-bounded.js'
import type { ReportDamage } from '../../../ports/notice.js'
import type { PetRepository } from '../../../ports/pet-repository.js'
import type { Sql } from '../file/connection.js'
import { findHolder } from '../idempotency-keys.js'
import { decodePet, PET_COLUMNS, type PetRow } from '../records.js'
import { valuesOf } from '../writing/pet-values.js'
import type { Writer } from '../writing/writer.js'
import type { Reader } from './reader.js'

type Value = bigint | number | string

interface Condition {
  readonly sql: string
  readonly value: Value
}

/** A new member of the filter does not compile until it is here. */
const CONDITIONS: Readonly<Record<keyof PetFilter, (filter: PetFilter) => O.Option<Condition>>> = {
  status: ({ status }) => O.map((value: string) => ({ sql: 'status = ?', value }))(status),
  ids: ({ ids }) =>
    O.map((all: readonly bigint[]) => ({ sql: 'id IN (SELECT value FROM json_each(?))', value: `[${all.join()}]` }))(
      ids,
    ),
}

const conditionsOf = (filter: PetFilter): readonly Condition[] =>
  RA.compact(Object.values(CONDITIONS).map((condition) => condition(filter)))

const whereOf = (conditions: readonly Condition[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`

const BY_ID: Sql<PetRow> = `SELECT ${PET_COLUMNS} FROM pets WHERE id = ?`

/** Pages that are remembered until the next commit of any process. One that is costs 5 µs instead of 80 (measured). */
const REMEMBERED_PAGES = 1_000

/** Damaged pets that this process remembers; exact counts include any others. */
const MAX_DAMAGED = 10_000

export const makeSqlitePetRepository = (
  { connection, read, storage }: Reader,
  { write }: Pick<Writer, 'write'>,
  added: (id: bigint) => void,
  reportDamage: ReportDamage,
): PetRepository => {
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
    reportDamage({ record: 'pet', id: String(id), reason: pet.left })
    return []
  }

  const select = (conditions: readonly Condition[], limit = -1): readonly PetRow[] =>
    connection.all(
      `SELECT ${PET_COLUMNS} FROM pets ${whereOf(conditions)} ORDER BY id DESC LIMIT ?` as Sql<PetRow>,
      ...conditions.map(({ value }) => value),
      limit,
    )

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
      const position = RA.fromOption(O.map((value: bigint) => ({ sql: 'id < ?', value }))(before))
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

  const total = (filter: PetFilter): number => {
    const { ids, status } = filter
    if (O.isSome(ids)) return select(conditionsOf(filter)).flatMap(sound).length
    const [where, values] = O.isSome(status) ? ['WHERE status = ?', [status.value]] : ['', []]
    return Number(connection.first(`SELECT ifnull(sum(pets), 0) FROM counts ${where}`, ...values)?.[0])
  }

  const count = (filter: PetFilter): number => {
    const all = total(filter)
    if (damaged.size === 0 || O.isSome(filter.ids)) return all
    return all - select(conditionsOf({ ...filter, ids: O.some([...damaged]) })).length
  }

  const findByIdempotencyKey = (key: IdempotencyKey, at: Instant): O.Option<Pet> => {
    const holder = heldAt(findHolder(connection, key), at)
    if (O.isNone(holder)) return O.none
    const pet = findById(holder.value.petId)
    if (O.isNone(pet)) throw new Error(`pet ${holder.value.petId}, which holds the idempotency key, cannot be read`)
    return pet
  }

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

// Pets in SQLite: the port PetRepository of animal-store, no more than its contract suite asks for.
import { MAX_INT64, Pet, type PetFilter, pageOf } from 'animal-store'
import type { Added, Idempotency, PetRecord, PetRepository } from 'animal-store/ports'
import * as O from 'fp-ts/lib/Option.js'
import type { Database } from 'libsql'
import { query } from './database.js'

type Condition = readonly [sql: string, value: bigint | string]

/** What the database gave is decoded like any other input; a row that is no pet is not served. */
const petsOf = (rows: readonly unknown[]): readonly Pet[] =>
  rows.flatMap((row) => {
    const { name, status, ...numbers } = row as Record<string, unknown>
    const members = { ...numbers, name: Buffer.isBuffer(name) ? name.toString() : name }
    const decoded = Pet.decode(status === null ? members : { ...members, status })
    return decoded._tag === 'Right' ? [decoded.right] : []
  })

const conditionsOf = ({ status, ids }: PetFilter): readonly Condition[] => [
  ...(O.isSome(status) ? [['status = ?', status.value] satisfies Condition] : []),
  ...(O.isSome(ids) ? [['id IN (SELECT value FROM json_each(?))', `[${ids.value.join()}]`] satisfies Condition] : []),
]

export const makeSqlitePetRepository = (database: Database): PetRepository => {
  const select = (columns: string, conditions: readonly Condition[], rest = ''): readonly unknown[] => {
    const where = ['TRUE', ...conditions.map(([sql]) => sql)].join(' AND ')
    return database.prepare(`SELECT ${columns} FROM pets WHERE ${where} ${rest}`).all(...conditions.map(([, at]) => at))
  }
  const findPets = (conditions: readonly Condition[], rest?: string): readonly Pet[] =>
    petsOf(select('id, name, category_id AS categoryId, status', conditions, rest))

  const holderOf = ({ apiKeyId, key }: Idempotency, now: number): Pet | undefined =>
    findPets([
      ['id = (SELECT pet_id FROM retries WHERE api_key_id = ?', apiKeyId],
      ['key = ?', key],
      ['expires_at > ?)', BigInt(now)],
    ])[0]

  const add = database.transaction(({ event, idempotency }: PetRecord): Added => {
    const { pet, eventId, time } = event
    const holder = O.isSome(idempotency) ? holderOf(idempotency.value, time) : undefined
    if (holder !== undefined) return { _tag: 'KeyTaken', by: holder }
    database
      .prepare('INSERT INTO pets VALUES (?, ?, ?, ?, ?, ?)')
      .run(pet.id, Buffer.from(pet.name), pet.categoryId, pet.status ?? null, eventId, BigInt(time))
    if (O.isSome(idempotency)) {
      const { apiKeyId, key, expiresAt } = idempotency.value
      database.prepare('REPLACE INTO retries VALUES (?, ?, ?, ?)').run(apiKeyId, key, pet.id, BigInt(expiresAt))
    }
    return { _tag: 'Added' }
  })

  return {
    add: (record) => query(() => add.immediate(record)),
    findById: (id) => query(() => O.fromNullable(findPets([['id = ?', id]])[0])),
    findPage: (page) =>
      query(() => {
        const before: Condition = ['id < ?', O.isSome(page.before) ? page.before.value : MAX_INT64]
        const found = findPets([...conditionsOf(page), before], `ORDER BY id DESC LIMIT ${page.limit + 1}`)
        return pageOf(found, page.limit)
      }),
    count: (filter) => query(() => select('id', conditionsOf(filter)).length),
    ping: query(() => void select('1', [['id = ?', 0n]])),
  }
}

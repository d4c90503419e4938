// Pets in SQLite: the port PetRepository of animal-store, no more than its contract suite asks for.

import type { Added, HeldIdempotencyKey, IdempotencyKey, OfStorage, PetRecord, PetRepository } from 'animal-store'
import {
  decideAdd,
  heldAt,
  type KeyHolder,
  MAX_INT64,
  Pet,
  type PetCreated,
  PetCreatedFromJson,
  type PetFilter,
  pageOf,
  type Unavailable,
} from 'animal-store'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Database, QueryResult, SQLiteValue } from 'node-sqlite3-wasm'
import { lastId, query, transaction } from './database.js'

type Condition = readonly [sql: string, value: SQLiteValue]

/** A row is decoded like any other input; one that is not a pet is not served. */
const petOf = ({ id, name, categoryId, status }: QueryResult): readonly Pet[] => {
  const members = { id, categoryId, name: name instanceof Uint8Array ? new TextDecoder().decode(name) : name }
  const decoded = Pet.decode(status === null ? members : { ...members, status })
  return decoded._tag === 'Right' ? [decoded.right] : []
}

const conditionsOf = ({ status, ids }: PetFilter): readonly Condition[] => [
  ...(O.isSome(status) ? [['status = ?', status.value] satisfies Condition] : []),
  ...(O.isSome(ids) ? [['id IN (SELECT value FROM json_each(?))', `[${ids.value.join()}]`] satisfies Condition] : []),
]

export const insertPet = (database: Database, event: PetCreated): void => {
  const { pet } = event
  const name = new TextEncoder().encode(pet.name)
  const row = [pet.id, name, pet.categoryId, pet.status ?? null, PetCreatedFromJson.encode(event)]
  database.run('INSERT INTO pets VALUES (?, ?, ?, ?, ?)', row)
}

/** The latest holder of the key, expired or not. */
export const holderOf = (database: Database, { lineage, key }: IdempotencyKey): O.Option<KeyHolder> => {
  const held = 'SELECT pet_id AS petId, expires_at AS expiresAt FROM idempotency_keys WHERE lineage = ? AND key = ?'
  const row = database.get(held, [lineage, key])
  return row == null ? O.none : O.some({ petId: Number(row['petId']), expiresAt: Number(row['expiresAt']) })
}

export const putKey = (database: Database, { lineage, key, expiresAt }: HeldIdempotencyKey, petId: bigint): void => {
  database.run('REPLACE INTO idempotency_keys VALUES (?, ?, ?, ?)', [lineage, key, petId, expiresAt])
}

export const makeSqlitePetRepository = (database: Database, { storage }: OfStorage): PetRepository => {
  const findPets = (conditions: readonly Condition[], rest = ''): readonly Pet[] => {
    const where = ['TRUE', ...conditions.map(([sql]) => sql)].join(' AND ')
    const values = conditions.map(([, value]) => value)
    const columns = 'id, name, category_id AS categoryId, status'
    return database.all(`SELECT ${columns} FROM pets WHERE ${where} ${rest}`, values).flatMap(petOf)
  }

  const heldBy = ({ petId }: KeyHolder): Pet => {
    const [pet] = findPets([['id = ?', petId]])
    if (pet === undefined) throw new Error(`pet ${petId}, which holds the idempotency key, cannot be read`)
    return pet
  }

  const add = (record: PetRecord): E.Either<Unavailable, Added> => {
    const { idempotencyKey } = record
    const holder = O.flatMap((key: IdempotencyKey) => holderOf(database, key))(idempotencyKey)
    const decision = decideAdd(record, { lastId: lastId(database), holder })
    if (E.isLeft(decision)) return decision
    if (decision.right._tag === 'KeyTaken') return E.right({ _tag: 'KeyTaken', by: heldBy(decision.right.by) })
    const { event } = decision.right
    insertPet(database, event)
    if (O.isSome(idempotencyKey)) putKey(database, idempotencyKey.value, event.pet.id)
    return E.right({ _tag: 'Added', id: event.pet.id })
  }

  return {
    storage,
    add: (record) =>
      TE.flatMapEither((added: E.Either<Unavailable, Added>) => added)(transaction(database, () => add(record))),
    findByIdempotencyKey: (key, at) => query(() => O.map(heldBy)(heldAt(holderOf(database, key), at))),
    findById: (id) => query(() => O.fromNullable(findPets([['id = ?', id]])[0])),
    findPage: (page) =>
      query(() => {
        const before: Condition = ['id < ?', O.isSome(page.before) ? page.before.value : MAX_INT64]
        const found = findPets([...conditionsOf(page), before], `ORDER BY id DESC LIMIT ${page.limit + 1}`)
        return pageOf(found, page.limit)
      }),
    count: (filter) => query(() => findPets(conditionsOf(filter)).length),
  }
}

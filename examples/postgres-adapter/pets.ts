// Pets, each in one row with its event, and their idempotency keys.
import type { HeldIdempotencyKey, Hold, IdempotencyKey, OfStorage, PetRepository, ReportDamage } from 'animal-store'
import {
  decideAdd,
  faultsText,
  heldAt,
  KEPT_AFTER_EXPIRY_MS,
  type Pet,
  PetCreated,
  type PetFilter,
  pageOf,
} from 'animal-store'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, Row, Run } from './database.js'

interface KeyHolder extends Hold {
  readonly petId: bigint
}

/** A row is decoded like any other input; a row that is not a pet is not served. */
export const eventOf = ({ id, name, category_id: categoryId, status, event_id: eventId, time, traceparent }: Row) =>
  PetCreated.decode({
    _tag: 'PetCreated',
    eventId,
    time: Number(time),
    pet: { id, name: String(name), categoryId, ...(status !== null && { status }) },
    ...(traceparent !== null && { traceparent }),
  })

export const insertPet = (run: Run, { pet, eventId, time, traceparent }: PetCreated) => {
  const row = [pet.id, Buffer.from(pet.name), pet.categoryId, pet.status, eventId, time, traceparent]
  return run('INSERT INTO pets VALUES ($1, $2, $3, $4, $5, $6, $7)', row)
}

/** No later pet gets an id at or below this one or any stored one. */
export const raiseLastId = (run: Run, id: bigint) =>
  run('UPDATE store SET last_id = greatest($1, last_id, (SELECT max(id) FROM pets))', [id])

export const putKey = (run: Run, { lineage, key, expiresAt }: HeldIdempotencyKey, petId: bigint) =>
  run(
    `INSERT INTO idempotency_keys VALUES ($1, $2, $3, $4) ON CONFLICT (lineage, key)
     DO UPDATE SET pet_id = excluded.pet_id, expires_at = excluded.expires_at`,
    [lineage, key, petId, expiresAt],
  )

/** Every keyed add removes more keys than it adds, but so few that it stays fast. */
const removeExpired = (run: Run, now: number) =>
  run(
    `DELETE FROM idempotency_keys WHERE (lineage, key) IN
     (SELECT lineage, key FROM idempotency_keys WHERE expires_at <= $1 ORDER BY expires_at LIMIT 4)`,
    [now - KEPT_AFTER_EXPIRY_MS],
  )

/** The latest holder of the key, expired or not. */
const holderOf = async (run: Run, { lineage, key }: IdempotencyKey): Promise<O.Option<KeyHolder>> => {
  const rows = await run('SELECT * FROM idempotency_keys WHERE lineage = $1 AND key = $2', [lineage, key])
  const holderIn = (row: Row): KeyHolder => ({ petId: row['pet_id'] as bigint, expiresAt: Number(row['expires_at']) })
  return O.map(holderIn)(O.fromNullable(rows[0]))
}

const MATCHES = '($1::text IS NULL OR status = $1) AND ($2::bigint[] IS NULL OR id = ANY ($2))'

export const makePets = (database: Database, { storage }: OfStorage, report: ReportDamage): PetRepository => {
  const petsIn = (rows: readonly Row[]): readonly Pet[] =>
    rows.flatMap((row) => {
      const event = eventOf(row)
      if (E.isRight(event)) return [event.right.pet]
      report({ record: 'pet', id: String(row['id']), reason: faultsText(event.left) })
      return []
    })

  const valuesOf = ({ status, ids }: PetFilter) => [O.toNullable(status), O.toNullable(ids)]

  const findById = async (run: Run, id: number | bigint): Promise<O.Option<Pet>> =>
    O.fromNullable(petsIn(await run('SELECT * FROM pets WHERE id = $1', [id]))[0])

  const heldBy = async (run: Run, { petId }: KeyHolder): Promise<Pet> => {
    const pet = await findById(run, petId)
    if (O.isNone(pet)) throw new Error(`pet ${petId}, which holds the idempotency key, cannot be read`)
    return pet.value
  }

  return {
    storage,
    add: (record) =>
      database.write(async (run, store) => {
        const { idempotencyKey } = record
        const holder = O.isSome(idempotencyKey) ? await holderOf(run, idempotencyKey.value) : O.none
        const decision = decideAdd(record, { lastId: store['last_id'] as bigint, holder })
        if (E.isLeft(decision)) throw decision.left.cause
        if (decision.right._tag === 'KeyTaken') return { _tag: 'KeyTaken', by: await heldBy(run, decision.right.by) }
        const { event } = decision.right
        const { id } = event.pet
        await insertPet(run, event)
        if (O.isSome(idempotencyKey)) {
          await removeExpired(run, event.time)
          await putKey(run, idempotencyKey.value, id)
        }
        await raiseLastId(run, id)
        return { _tag: 'Added', id }
      }),
    findByIdempotencyKey: (key, at) =>
      database.read(async (run) => {
        const holder = heldAt(await holderOf(run, key), at)
        return O.isNone(holder) ? O.none : O.some(await heldBy(run, holder.value))
      }),
    findById: (id) => database.read((run) => findById(run, id)),
    findPage: (page) =>
      database.read(async (run) => {
        const sql = `SELECT * FROM pets WHERE ${MATCHES} AND ($3::bigint IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`
        const pets: Pet[] = []
        for (let before: unknown = O.toNullable(page.before); ; ) {
          const wanted = page.limit + 1 - pets.length
          const rows = await run(sql, [...valuesOf(page), before, wanted])
          pets.push(...petsIn(rows))
          // the next rows replace damaged ones
          if (rows.length < wanted || pets.length > page.limit) return pageOf(pets, page.limit)
          before = rows.at(-1)?.['id']
        }
      }),
    count: (filter) =>
      database.read(async (run) => {
        const [row] = await run(`SELECT count(*) FROM pets WHERE ${MATCHES}`, valuesOf(filter))
        return Number(row?.['count'])
      }),
  }
}

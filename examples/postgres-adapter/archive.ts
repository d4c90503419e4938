// Reads all records and restores them under exactly their ids, so that pets can move to another store and back.
import { type Archive, type ArchivePage, type Damage, decideRestore, faultsText, type PetRecord } from 'animal-store'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, Run } from './database.js'
import { eventOf, insertPet, putKey, raiseLastId } from './pets.js'

/** Pets per page: a few milliseconds of work. */
const PAGE = 500

const readPage = async (run: Run, after: bigint): Promise<ArchivePage> => {
  const rows = await run(
    `SELECT p.*, lineage, key, expires_at FROM pets p LEFT JOIN idempotency_keys ON pet_id = id
     WHERE id > $1 ORDER BY id LIMIT $2`,
    [after, PAGE],
  )
  const [records, damaged]: [PetRecord[], Damage[]] = [[], []]
  for (const row of rows) {
    const event = eventOf(row)
    const held = { lineage: String(row['lineage']), key: String(row['key']), expiresAt: Number(row['expires_at']) }
    if (E.isRight(event))
      records.push({ event: event.right, idempotencyKey: row['key'] === null ? O.none : O.some(held) })
    else damaged.push({ record: 'pet', id: String(row['id']), reason: faultsText(event.left) })
  }
  return { records, damaged, next: O.fromNullable(rows.at(-1)?.['id'] as bigint | undefined) }
}

export const makeArchive = ({ read, write }: Database): Archive => ({
  lastId: read(async (run) => (await run('SELECT last_id FROM store'))[0]?.['last_id'] as bigint),
  read: (after) => read((run) => readPage(run, after)),
  restore: ({ event, idempotencyKey }) =>
    write(async (run) => {
      const [row] = await run('SELECT * FROM pets WHERE id = $1', [event.pet.id])
      const restored = decideRestore(event, O.map(eventOf)(O.fromNullable(row)))
      if (restored !== 'added') return restored
      await insertPet(run, event)
      if (O.isSome(idempotencyKey)) await putKey(run, idempotencyKey.value, event.pet.id)
      await raiseLastId(run, event.pet.id)
      return restored
    }),
  end: (lastId) => write(async (run) => void (await raiseLastId(run, lastId))),
})

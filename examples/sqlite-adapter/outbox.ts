// The events that are not sent yet: a row of `unsent` for each, beside its pet.
import { type PetCreated, PetCreatedFromJson } from 'animal-store'
import type { ClaimRequest, Outbox, Requeue, Settlement } from 'animal-store/ports'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, QueryResult } from 'node-sqlite3-wasm'
import { hasMark, query, setMark, transaction } from './database.js'

const EVENTS = 'SELECT id, event, failures, parked FROM unsent JOIN pets ON pets.id = unsent.pet_id'

/** An event that cannot be decoded is not sent. */
const eventOf = ({ event }: QueryResult): readonly PetCreated[] => {
  const decoded = PetCreatedFromJson.decode(event)
  return decoded._tag === 'Right' ? [decoded.right] : []
}

export const makeSqliteOutbox = (database: Database): Outbox => {
  const claim = ({ now, leaseUntil, maxDueAt, limit }: ClaimRequest) => {
    // stored before the clock stepped back: due now
    database.run('UPDATE unsent SET due_at = ? WHERE due_at > ? AND parked IS NULL', [now, maxDueAt])
    const due = `${EVENTS} WHERE parked IS NULL AND due_at <= ? ORDER BY due_at, pet_id LIMIT ?`
    const rows = database.all(due, [now, limit])
    const claimed = rows.map(({ id }) => String(id)).join()
    database.run(`UPDATE unsent SET due_at = ? WHERE pet_id IN (${claimed})`, leaseUntil)
    return rows.flatMap((row) => eventOf(row).map((event) => ({ event, failures: Number(row['failures']) })))
  }

  const settle = (settlement: Settlement): void => {
    const { id } = settlement.event.pet
    const where = 'WHERE pet_id = ? AND parked IS NULL'
    switch (settlement._tag) {
      case 'Sent':
        if (database.run(`DELETE FROM unsent ${where}`, id).changes > 0) setMark(database, 'sent')
        return
      case 'Retry':
        database.run(`UPDATE unsent SET failures = failures + 1, due_at = ? ${where}`, [settlement.at, id])
        return
      case 'Parked':
        database.run(`UPDATE unsent SET parked = ? ${where}`, [settlement.reason, id])
    }
  }

  const requeue = (which: Requeue): number => {
    switch (which._tag) {
      case 'Parked':
        return database.run('UPDATE unsent SET failures = 0, due_at = 0, parked = NULL WHERE parked IS NOT NULL')
          .changes
      case 'CreatedBetween': {
        const all = 'REPLACE INTO unsent SELECT id, 0, 0, NULL FROM pets WHERE time >= ? AND time < ?'
        return database.run(all, [which.from, which.to]).changes
      }
    }
  }

  const backlog = () => {
    const counts = database.get(`
      SELECT count(*) FILTER (WHERE parked IS NULL) AS size, count(parked) AS parked,
        min(time) FILTER (WHERE parked IS NULL) AS oldest
      FROM unsent JOIN pets ON pets.id = unsent.pet_id`)
    const oldest = counts?.['oldest'] ?? null
    return {
      size: Number(counts?.['size']),
      oldest: oldest === null ? O.none : O.some(Number(oldest)),
      parked: Number(counts?.['parked']),
      hasSent: hasMark(database, 'sent'),
    }
  }

  return {
    claim: (request) => transaction(database, () => claim(request)),
    settle: (settlements) => transaction(database, () => settlements.forEach(settle)),
    backlog: query(backlog),
    parked: query(() =>
      database
        .all(`${EVENTS} WHERE parked IS NOT NULL ORDER BY id`)
        .flatMap((row) => eventOf(row).map((event) => ({ event, reason: String(row['parked']) }))),
    ),
    requeue: (which) => transaction(database, () => requeue(which)),
  }
}

// Every event that is not sent: its state, its pet, and its places in the two orders, by when it is due and by its age.
import * as E from 'fp-ts/lib/Either.js'
import { decodePetRecord } from '../tables/pet-record.js'
import type { ReadableTable, ReadableTables } from '../tables/snapshot.js'
import { decodeStored } from '../tables/stored-json.js'
import { Unsent } from '../tables/unsent-table.js'
import type { Finding, Findings } from './findings.js'

const finding = (petId: number, reason: string): Finding => ({ record: 'event', id: String(petId), reason })

/** The time of the event of a pet; undefined if it is unknown. */
const timeOf = (pets: ReadableTables['pets'], id: number): number | undefined => {
  const bytes = pets.get(id)
  const event = bytes === undefined ? undefined : decodePetRecord(id, bytes)
  return event !== undefined && E.isRight(event) ? event.right.time : undefined
}

export function* verifyUnsent({ unsent, parked, pets, due, ages }: ReadableTables): Findings {
  for (const { key: id, value } of unsent.getRange()) {
    const state = decodeStored(Unsent, value)
    if (pets.get(id) === undefined) yield finding(id, 'it waits, but its pet is missing')
    if (parked.get(id) !== undefined) yield finding(id, 'it waits, and is parked')
    if (E.isLeft(state)) {
      yield finding(id, state.left)
      continue
    }
    const { dueAt, time } = state.right
    if (due.get([dueAt, id]) === undefined) yield finding(id, 'it waits, but is never due')
    if (ages.get([time, id]) === undefined) yield finding(id, 'it waits, but is missing in the order of age')
    const eventTime = timeOf(pets, id)
    if (eventTime !== undefined && eventTime !== time)
      yield finding(id, `its time is ${time}, that of its pet ${eventTime}`)
  }
}

export function* verifyParked({ parked, pets }: ReadableTables): Findings {
  for (const id of parked.getKeys())
    if (pets.get(id) === undefined) yield finding(id, 'it is parked, but its pet is missing')
}

function* verifyOrder(
  { unsent }: ReadableTables,
  order: ReadableTable<number[]>,
  member: 'dueAt' | 'time',
  name: string,
): Findings {
  for (const [instant, id = 0] of order.getKeys()) {
    const bytes = unsent.get(id)
    const state = bytes === undefined ? undefined : decodeStored(Unsent, bytes)
    if (state === undefined) yield finding(id, `it does not wait, but has a place in the order of ${name}`)
    else if (E.isRight(state) && state.right[member] !== instant) {
      yield finding(id, `its place at ${instant} in the order of ${name} is not its own`)
    }
  }
}

/** Each place in the two orders is that of an event that waits. */
export function* verifyOrders(tables: ReadableTables): Findings {
  yield* verifyOrder(tables, tables.due, 'dueAt', 'due events')
  yield* verifyOrder(tables, tables.ages, 'time', 'age')
}

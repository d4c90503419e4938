// Checks every unsent event: its state, its pet, and its entries in the `due` and `ages` indexes.
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
    if (pets.get(id) === undefined) yield finding(id, 'it is waiting, but its pet is missing')
    if (parked.get(id) !== undefined) yield finding(id, 'it is both waiting and parked')
    if (E.isLeft(state)) {
      yield finding(id, state.left)
      continue
    }
    const { dueAt, time } = state.right
    if (due.get([dueAt, id]) === undefined) yield finding(id, 'it is waiting, but has no entry in the index `due`')
    if (ages.get([time, id]) === undefined) yield finding(id, 'it is waiting, but has no entry in the index `ages`')
    const eventTime = timeOf(pets, id)
    if (eventTime !== undefined && eventTime !== time)
      yield finding(id, `its time is ${time}, but the record of its pet has ${eventTime}`)
  }
}

export function* verifyParked({ parked, pets }: ReadableTables): Findings {
  for (const id of parked.getKeys())
    if (pets.get(id) === undefined) yield finding(id, 'it is parked, but its pet is missing')
}

function* verifyIndex(
  { unsent }: ReadableTables,
  index: ReadableTable<number[]>,
  member: 'dueAt' | 'time',
  name: 'due' | 'ages',
): Findings {
  for (const [instant, id = 0] of index.getKeys()) {
    const bytes = unsent.get(id)
    const state = bytes === undefined ? undefined : decodeStored(Unsent, bytes)
    if (state === undefined) yield finding(id, `it is not waiting, but has an entry in the index \`${name}\``)
    else if (E.isRight(state) && state.right[member] !== instant) {
      yield finding(id, `stale entry at ${instant} in the index \`${name}\``)
    }
  }
}

/** Each entry of both indexes belongs to a waiting event. */
export function* verifyUnsentIndexes(tables: ReadableTables): Findings {
  yield* verifyIndex(tables, tables.due, 'dueAt', 'due')
  yield* verifyIndex(tables, tables.ages, 'time', 'ages')
}

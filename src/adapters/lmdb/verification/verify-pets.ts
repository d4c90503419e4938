// Every pet, the index of its status, and the counter of ids.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { PET_STATUSES } from '../../../domain/pets/pet.js'
import { countedId, highestStoredId } from '../tables/meta-table.js'
import { decodePetRecord } from '../tables/pet-record.js'
import type { ReadableTables } from '../tables/snapshot.js'
import type { Findings } from './findings.js'

/** Each pet can be decoded, and is in the index of its status. */
export function* verifyPets({ pets, byStatus }: ReadableTables): Findings {
  for (const { key: id, value } of pets.getRange()) {
    const event = decodePetRecord(id, value)
    if (E.isLeft(event)) {
      yield { record: 'pet', id: String(id), reason: event.left }
      continue
    }
    const { status } = event.right.pet
    if (status !== undefined && byStatus[status].get(id) === undefined) {
      yield {
        record: 'status index',
        id: String(id),
        reason: `the pet is ${status}, but has no entry in the index \`${status}\``,
      }
    }
  }
}

/** Each entry of an index names a pet with this status. `verifyPets` reports pets that cannot be decoded. */
export function* verifyStatusIndex({ pets, byStatus }: ReadableTables): Findings {
  for (const status of PET_STATUSES) {
    for (const id of byStatus[status].getKeys()) {
      const bytes = pets.get(id)
      const event = bytes === undefined ? undefined : decodePetRecord(id, bytes)
      if (event === undefined) {
        yield { record: 'status index', id: String(id), reason: `index \`${status}\` names a pet that does not exist` }
      } else if (E.isRight(event) && event.right.pet.status !== status) {
        const reason = `index \`${status}\` names a pet that is ${event.right.pet.status ?? 'without a status'}`
        yield { record: 'status index', id: String(id), reason }
      }
    }
  }
}

/** The counter is a number, and not lower than any pet id. */
export function* verifyCounter(tables: ReadableTables): Findings {
  const counter = countedId(tables)
  const highest = highestStoredId(tables)
  if (E.isLeft(counter)) yield { record: 'id counter', id: 'counter', reason: counter.left }
  else if (O.getOrElse(() => 0n)(counter.right) < highest) {
    const counted = O.isSome(counter.right) ? `is ${counter.right.value}` : 'is missing'
    yield { record: 'id counter', id: 'counter', reason: `it ${counted}, behind pet ${highest}` }
  }
}

// Sample records of a store, and helpers to restore and read them, for the suites and for tests.
import * as O from 'fp-ts/lib/Option.js'
import type { ApiKey } from '../../domain/api-keys/api-key.js'
import type { Restored } from '../../domain/archive/decide-restore.js'
import type { DomainEvent } from '../../domain/events/domain-event.js'
import type { PetRecord } from '../../domain/pets/decide-add.js'
import type { NewPet } from '../../domain/pets/pet.js'
import type { Archive, StoredRecord } from '../../ports/archive.js'
import type { Damage } from '../../ports/notice.js'
import { event, fullApiKey, NOW, succeed } from '../samples.js'

export const petRecord = (id: number, newPet?: NewPet): PetRecord => ({
  event: event(id, newPet),
  idempotencyKey: O.none,
})

export const heldRecord = (id: number, key = `key ${id}`, expiresAt = NOW + 90_000, lineage = 'a'): PetRecord => ({
  event: event(id),
  idempotencyKey: O.some({ lineage, key, expiresAt }),
})

export const liveKey = (changes: Partial<ApiKey> = {}): ApiKey => ({
  ...fullApiKey,
  id: 'aaaaaaaaaaa',
  expiresAt: O.none,
  revokedAt: O.none,
  successor: O.none,
  ...changes,
})

/** A new type of event does not compile until it is here, so that every store keeps it and has it in its log. */
const EVENTS: { readonly [E in DomainEvent as E['_tag']]: (id: number) => E } = { PetCreated: event }

/** One record of each type of event, from this id on. */
export const recordOfEach = (from: number): readonly StoredRecord[] =>
  Object.values(EVENTS).map((make, at) => ({ event: make(from + at), idempotencyKey: O.none }))

/** Restores all at once. */
export const restoreInto = (archive: Archive, ...records: readonly StoredRecord[]): Promise<readonly Restored[]> =>
  Promise.all(records.map((record) => succeed(archive.restore(record))))

export const readAll = async (archive: Archive) => {
  const [records, damaged]: [StoredRecord[], Damage[]] = [[], []]
  for (let next: O.Option<bigint> = O.some(0n); O.isSome(next); ) {
    const page = await succeed(archive.read(next.value))
    records.push(...page.records)
    damaged.push(...page.damaged)
    next = page.next
  }
  return { records, damaged }
}

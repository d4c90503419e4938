// Sample records of an export, and helpers to add and read them, for the suites and for tests.
import * as O from 'fp-ts/lib/Option.js'
import type { ApiKey } from '../../domain/api-keys/api-key.js'
import type * as Archived from '../../domain/archive/archive-record.js'
import type { NewPet } from '../../domain/pets/pet.js'
import type { Archive, ArchiveItem } from '../../ports/archive.js'
import { event, fullApiKey, succeed } from '../samples.js'

/** The time of the suite, in milliseconds since 1970. */
export const NOW = 50_000

export const petRecord = (id: number, newPet?: NewPet): Archived.PetArchived => ({
  _tag: 'Pet',
  event: event(id, newPet),
})

export const keyRecord = (changes: Partial<ApiKey> = {}): Archived.ApiKeyArchived => ({
  _tag: 'ApiKey',
  key: { ...fullApiKey, id: 'aaaaaaaaaaa', expiresAt: O.none, revokedAt: O.none, successor: O.none, ...changes },
})

export const heldKey = (
  petId: number,
  key = `key ${petId}`,
  expiresAt = 90_000,
  lineage = 'a',
): Archived.IdempotencyKeyArchived => ({
  _tag: 'IdempotencyKey',
  petId: BigInt(petId),
  eventId: `event-${petId}`,
  key: { lineage, key, expiresAt },
})

export const state = (lastId = 0n): Archived.StoreState => ({ _tag: 'StoreState', lastId })

/** Adds records of an export, by default as a batch in the middle that begins just after the preceding id. */
export const adding = (
  archive: Archive,
  records: readonly Archived.Counted[],
  batch: Partial<Omit<Archived.ImportBatch, 'records'>> = {},
): ReturnType<Archive['add']> => {
  const first = records.find((record) => record._tag === 'Pet')?.event.pet.id ?? 1n
  return archive.add({ records, after: first - 1n, lastId: O.none, now: NOW, ...batch })
}

/** Like `adding`, but returns the added records, and throws if one differs. */
export const addTo = (
  archive: Archive,
  ...records: readonly Archived.Counted[]
): Promise<readonly Archived.Counted[]> => succeed(adding(archive, records))

export const readAll = async (archive: Archive, now = NOW): Promise<readonly ArchiveItem[]> => {
  const items: ArchiveItem[] = []
  for await (const batch of archive.read(now)) items.push(...(await succeed(async () => batch)))
  return items
}

/** All records except `StoreState`, which may occur more than once. */
export const recordsIn = async (archive: Archive, now = NOW): Promise<readonly ArchiveItem[]> =>
  (await readAll(archive, now)).filter(({ _tag }) => _tag !== 'StoreState')

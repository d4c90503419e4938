// The records that the suite of the archive merges, and how it reads them back.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ApiKey } from '../../domain/api-keys/api-key.js'
import type {
  ApiKeyArchived,
  ArchiveRecord,
  IdempotencyKeyArchived,
  MergeResult,
  PetArchived,
  StoreState,
} from '../../domain/archive/archive-record.js'
import type { NewPet } from '../../domain/pets/pet.js'
import type { Archive, ArchiveItem } from '../../ports/archive.js'
import { succeed } from '../outcome.js'
import { fullApiKey } from './api-key-samples.js'
import { eventOf, fullPet, numbered } from './pet-samples.js'

export const NOW = 50_000

export const petRecord = (id: number, newPet: NewPet = { ...fullPet, name: `pet ${id}` }): PetArchived => ({
  _tag: 'Pet',
  event: eventOf(numbered(id, newPet), {
    time: (id % 1_000_000) * 1_000,
    // only some requests belong to a trace
    ...(id % 2 === 1 && { traceparent: `00-${'a'.repeat(32)}-00f067aa0ba902b7-01` }),
  }),
})

export const keyRecord = (changes: Partial<ApiKey> = {}): ApiKeyArchived => ({
  _tag: 'ApiKey',
  key: { ...fullApiKey, id: 'aaaaaaaaaaa', expiresAt: O.none, revokedAt: O.none, successor: O.none, ...changes },
})

export const heldKey = (petId: number, key = `key ${petId}`, expiresAt = 90_000): IdempotencyKeyArchived => ({
  _tag: 'IdempotencyKey',
  petId: BigInt(petId),
  eventId: `event-${petId}`,
  key: { lineage: 'a', key, expiresAt },
})

export const state = (changes: Partial<StoreState> = {}): StoreState => ({
  _tag: 'StoreState',
  lastId: 0n,
  ...changes,
})

/** The tags of the results, each with its reason if there is one. */
export const merge = async (archive: Archive, ...records: readonly ArchiveRecord[]): Promise<readonly string[]> => {
  const results: readonly MergeResult[] = await succeed(archive.merge(records, NOW))
  return results.map((result) => (result._tag === 'Refused' ? `Refused: ${result.reason}` : result._tag))
}

export const readAll = async (archive: Archive, now = NOW): Promise<readonly ArchiveItem[]> => {
  const items: ArchiveItem[] = []
  for await (const batch of archive.read(now)) {
    if (E.isLeft(batch)) throw new Error('expected a batch', { cause: batch.left })
    items.push(...batch.right)
  }
  return items
}

/** All records but what the store knows as a whole, which may come more than once. */
export const recordsIn = async (archive: Archive, now = NOW): Promise<readonly ArchiveItem[]> =>
  (await readAll(archive, now)).filter(({ _tag }) => _tag !== 'StoreState')

/** The state of the store as a whole: the latest one that `read` returns. */
export const stateIn = async (archive: Archive): Promise<ArchiveItem | undefined> =>
  (await readAll(archive)).filter(({ _tag }) => _tag === 'StoreState').at(-1)

// The contract of an archive, together with the other ports of its store.
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { MAX_INT64, MIN_INT64 } from '../../domain/codecs/int64.js'
import { MAX_PET_ID } from '../../domain/pets/pet.js'
import { ALL_PETS } from '../../domain/pets/pet-query.js'
import type { ArchivedStore } from '../../ports/store.js'
import {
  event,
  heldKey,
  keyRecord,
  merge,
  NOW,
  numbered,
  petRecord,
  range,
  readAll,
  record,
  recordOf,
  recordsIn,
  state,
  stateIn,
  succeed,
} from '../samples.js'
import { archiveMergeContract } from './archive-merge.contract.js'
import { opened } from './store.contract.js'

/** The suite, for vitest; `make` opens an empty store for each test. */
export const archiveContract = (name: string, make: () => Promise<ArchivedStore>): void => {
  describe(`Archive: ${name}`, () => {
    const fresh = () => opened(make)

    describe('read', () => {
      it('reads what was added through the other ports', async () => {
        const { archive, pets, apiKeys, ids } = await fresh()
        expect([await recordsIn(archive), await stateIn(archive)]).toStrictEqual([[], state()])
        const { key } = keyRecord()
        await succeed(apiKeys.add(key))
        for (const id of range(1, 4)) {
          await succeed(ids.next)
          await succeed(pets.add(recordOf(event(id), id === 2 ? O.some(heldKey(2).key) : O.none)))
        }
        const items = await recordsIn(archive)
        expect(items.filter(({ _tag }) => _tag === 'ApiKey')).toStrictEqual([{ _tag: 'ApiKey', key }])
        expect(items.filter(({ _tag }) => _tag === 'Pet')).toStrictEqual(range(1, 4).map((id) => petRecord(id)))
        expect(items.filter(({ _tag }) => _tag === 'IdempotencyKey')).toStrictEqual([heldKey(2)])
        expect(await stateIn(archive)).toStrictEqual(state(4n))
      })

      it('returns each of many records once: pets in order, idempotency keys after their pets', async () => {
        const { archive } = await fresh()
        const ids = range(1, 2_345)
        const records = ids.flatMap((id) => [petRecord(id), heldKey(id)])
        for (let at = 0; at < records.length; at += 500) await merge(archive, ...records.slice(at, at + 500))
        const items = await recordsIn(archive)
        const petIds = items.flatMap((item) => (item._tag === 'Pet' ? [Number(item.event.pet.id)] : []))
        expect(petIds).toStrictEqual(ids)
        const seen = new Set<bigint>()
        const early = items.filter((item) => {
          if (item._tag === 'Pet') seen.add(item.event.pet.id)
          return item._tag === 'IdempotencyKey' && !seen.has(item.petId)
        })
        expect(early).toStrictEqual([])
        expect(items.filter(({ _tag }) => _tag === 'IdempotencyKey')).toHaveLength(ids.length)
        expect(await succeed(archive.size)).toBeGreaterThanOrEqual(ids.length)
      })

      it('leaves out idempotency keys that have expired', async () => {
        const { archive } = await fresh()
        await merge(archive, petRecord(1), heldKey(1, 'k', 60_000))
        expect(await recordsIn(archive, 59_999)).toHaveLength(2)
        expect(await recordsIn(archive, 60_000)).toHaveLength(1)
      })

      it('can be stopped early, and reads while others write', async () => {
        const { archive, pets } = await fresh()
        for (const first of [1, 501, 1_001])
          await merge(archive, ...range(first, first + 499).map((id) => petRecord(id)))
        let added = 2_000
        for await (const _ of archive.read(NOW)) {
          added += 1
          await succeed(pets.add(record(numbered(added))))
          if (added === 2_002) break
        }
        const petsRead = (await readAll(archive)).filter(({ _tag }) => _tag === 'Pet')
        expect(petsRead).toHaveLength(1_502)
        expect(await succeed(pets.count(ALL_PETS))).toBe(1_502)
      })
    })

    it('returns every record exactly as it was merged', async () => {
      const { archive } = await fresh()
      const records = [
        keyRecord(),
        keyRecord({
          id: 'bbbbbbbbbbb',
          name: O.none,
          expiresAt: O.some(253_402_300_799_999),
          revokedAt: O.some(0),
          lastUsedAt: O.none,
          successor: O.some('aaaaaaaaaaa'),
        }),
        petRecord(1, { name: ' \0\u{1f436}e\u0301"\\\u2028$.{} ', categoryId: 0n }),
        petRecord(2, { name: '\u{1f436}'.repeat(256), categoryId: MIN_INT64, status: 'sold' }),
        petRecord(Number(MAX_PET_ID), { name: '__proto__', categoryId: MAX_INT64, status: 'available' }),
      ]
      await merge(archive, ...records)
      expect(await recordsIn(archive)).toStrictEqual(records)
    })

    archiveMergeContract(fresh)
  })
}

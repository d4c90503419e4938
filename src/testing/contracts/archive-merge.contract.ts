// The part of the archive's contract that is about merging records into a store.
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { ALL_PETS } from '../../domain/pets/pet-query.js'
import type { ArchivedStore } from '../../ports/store.js'
import {
  event,
  heldKey,
  idsOf,
  keyRecord,
  merge,
  NOW,
  numbered,
  petRecord,
  record,
  recordsIn,
  state,
  succeed,
} from '../samples.js'
import { create, readThrough } from './event-log-samples.js'

const ANOTHER_PET = 'Refused: the store has another pet with this id'
const withAnotherEvent = (id: number) => ({ ...petRecord(id), event: { ...event(id), eventId: 'another' } })

export const archiveMergeContract = (fresh: () => Promise<ArchivedStore>): void => {
  describe('merge', () => {
    it('changes nothing the second time', async () => {
      const { archive } = await fresh()
      const all = [state(9n), keyRecord(), petRecord(1), petRecord(2), heldKey(1)]
      expect(await merge(archive, ...all)).toStrictEqual(['Updated', 'Added', 'Added', 'Added', 'Added'])
      const before = await recordsIn(archive)
      expect(await merge(archive, ...all)).toStrictEqual(all.map(() => 'Unchanged'))
      expect(await merge(archive)).toStrictEqual([])
      expect(await recordsIn(archive)).toStrictEqual(before)
    })

    it('lists, counts and finds the pets', async () => {
      const { archive, pets } = await fresh()
      await merge(archive, petRecord(1), petRecord(2, { name: 'x', categoryId: 1n }), petRecord(3))
      expect(await idsOf(pets, {})).toStrictEqual([3, 2, 1])
      expect(await idsOf(pets, { status: O.some('pending') })).toStrictEqual([3, 1])
      expect(await succeed(pets.count({ ...ALL_PETS, status: O.some('pending') }))).toBe(2)
      expect(await succeed(pets.findById(2n))).toStrictEqual(O.some(numbered(2, { name: 'x', categoryId: 1n })))
    })

    it('refuses another pet under the same id, keeps the first, and adds the others', async () => {
      const { archive, pets } = await fresh()
      await merge(archive, petRecord(2))
      const other = petRecord(2, { name: 'Other', categoryId: -1n, status: 'pending' })
      const records = [petRecord(1), other, withAnotherEvent(2), petRecord(3)]
      expect(await merge(archive, ...records)).toStrictEqual(['Added', ANOTHER_PET, ANOTHER_PET, 'Added'])
      expect(await recordsIn(archive)).toStrictEqual([petRecord(1), petRecord(2), petRecord(3)])
      expect(await idsOf(pets, { status: O.some('pending') })).toStrictEqual([3, 2, 1])
    })

    it('continues with ids above those of the pets, and above the last drawn one, and names what it skips', async () => {
      const { archive, ids } = await fresh()
      await succeed(ids.next)
      await merge(archive, petRecord(7), petRecord(5))
      expect(await succeed(ids.next)).toBe(8n)
      expect(await succeed(archive.merge([state(20n)], NOW))).toStrictEqual([{ _tag: 'Updated' }])
      expect(await succeed(ids.next)).toBe(21n)
      await merge(archive, state(3n))
      expect(await succeed(ids.next)).toBe(22n)
    })

    it('adds to the log what is above its end, and goes on above what was skipped', async () => {
      const store = await fresh()
      const first = await create(store)
      await merge(store.archive, petRecord(5), state(2_000_000n), petRecord(1_999_999))
      const last = await create(store)
      expect(last.pet.id).toBe(2_000_001n)
      expect(await readThrough(store.log, 2_000_001)).toStrictEqual([first, event(5), event(1_999_999), last])
    })

    it('adds pets below the end of the log, where a reader from the start finds them', async () => {
      const store = await fresh()
      await merge(store.archive, petRecord(3))
      await readThrough(store.log, 3)
      expect(await merge(store.archive, petRecord(1))).toStrictEqual(['Added'])
      expect(await readThrough(store.log, 3)).toStrictEqual([event(1), event(3)])
    })

    describe('idempotency keys', () => {
      it('lets a retry find its pet until the key expires', async () => {
        const { archive, pets } = await fresh()
        await merge(archive, petRecord(1), petRecord(2), heldKey(2, 'k', 90_000))
        const { pet } = event(2)
        expect(await succeed(pets.findByIdempotencyKey({ lineage: 'a', key: 'k' }, 89_999))).toStrictEqual(O.some(pet))
        const again = record(numbered(3), O.some(heldKey(3, 'k').key), 60_000)
        expect(await succeed(pets.add(again))).toStrictEqual({ _tag: 'KeyTaken', by: pet })
        const late = record(numbered(4), O.some(heldKey(4, 'k', 190_000).key), 90_000)
        expect(await succeed(pets.add(late))).toStrictEqual({ _tag: 'Added' })
      })

      it('refuses a key that another pet holds or that has no pet, and takes over an expired one', async () => {
        const { archive } = await fresh()
        await merge(archive, petRecord(1), petRecord(2), petRecord(3), heldKey(1, 'k'))
        expect(await merge(archive, heldKey(2, 'k'), heldKey(9, 'x'))).toStrictEqual([
          'Refused: pet 1 holds the same key',
          'Refused: the store lacks its pet',
        ])
        const { archive: other, pets } = await fresh()
        await merge(other, petRecord(1), petRecord(2))
        await succeed(pets.add(record(numbered(3), O.some(heldKey(3, 'k', 50_000).key), 1_000)))
        expect(await merge(other, heldKey(2, 'k'))).toStrictEqual(['Added'])
        const found = await succeed(pets.findByIdempotencyKey({ lineage: 'a', key: 'k' }, 60_000))
        expect(found).toStrictEqual(O.some(event(2).pet))
      })

      it('refuses the key of a pet that it has refused, which would then belong to another pet', async () => {
        const { archive, pets } = await fresh()
        await merge(archive, petRecord(1))
        const key = { ...heldKey(1, 'k'), eventId: 'another' }
        expect(await merge(archive, withAnotherEvent(1), key)).toStrictEqual([ANOTHER_PET, ANOTHER_PET])
        expect(await merge(archive, key)).toStrictEqual([ANOTHER_PET])
        expect(await succeed(pets.findByIdempotencyKey(key.key, NOW))).toStrictEqual(O.none)
        const create = record(numbered(2), O.some(heldKey(2, 'k').key), NOW)
        expect(await succeed(pets.add(create))).toStrictEqual({ _tag: 'Added' })
      })
    })

    describe('API keys', () => {
      it('brings a key up to date: whatever ended it in either store has ended it', async () => {
        const { archive, apiKeys } = await fresh()
        const stored = keyRecord({ lastUsedAt: O.some(9_000), expiresAt: O.some(80_000) })
        await merge(archive, stored)
        const newer = keyRecord({
          lastUsedAt: O.some(8_000),
          revokedAt: O.some(7_000),
          successor: O.some('bbbbbbbbbbb'),
        })
        expect(await merge(archive, newer, newer, stored)).toStrictEqual(['Updated', 'Unchanged', 'Unchanged'])
        const merged = { ...newer.key, lastUsedAt: O.some(9_000), expiresAt: O.some(80_000) }
        expect(await succeed(apiKeys.find(stored.key.id))).toStrictEqual(O.some(merged))
      })
    })
  })
}

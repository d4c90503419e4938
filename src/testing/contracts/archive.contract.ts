// The contract of an archive, together with the other ports of its store.
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import type { Counted, PetArchived } from '../../domain/archive/archive-record.js'
import { MAX_INT64, MIN_INT64 } from '../../domain/codecs/scalar.js'
import { eventNumber } from '../../domain/events/domain-event.js'
import { MAX_PET_ID, type NewPet, type PetStatus } from '../../domain/pets/pet.js'
import { ALL_PETS } from '../../domain/pets/pet-query.js'
import type { ArchiveItem } from '../../ports/archive.js'
import type { ArchivedStore } from '../../ports/store.js'
import { added, apiKeyOf, event, fail, fullApiKey, held, idsOf, numbered, range, record, succeed } from '../samples.js'
import { adding, addTo, heldKey, keyRecord, NOW, petRecord, readAll, recordsIn, state } from './archive-samples.js'
import { create, readThrough } from './event-log-samples.js'
import { opened } from './store.contract.js'

/** The suite, for vitest; `make` opens an empty store for each test. */
export const archiveContract = (name: string, make: () => Promise<ArchivedStore>): void => {
  describe(`Archive: ${name}`, () => {
    const fresh = () => opened(make)

    describe('read', () => {
      it('reads what was added through the other ports', async () => {
        const { archive, pets, apiKeys, ids } = await fresh()
        for (const item of await readAll(archive)) expect(item).toStrictEqual(state())
        await succeed(apiKeys.add(keyRecord().key))
        for (const id of range(1, 4)) {
          await succeed(ids.next)
          await succeed(pets.add({ event: event(id), idempotencyKey: id === 2 ? O.some(heldKey(2).key) : O.none }))
        }
        const items = await readAll(archive)
        const tagged = (tag: ArchiveItem['_tag']) => items.filter(({ _tag }) => _tag === tag)
        expect(tagged('ApiKey')).toStrictEqual([keyRecord()])
        expect(tagged('Pet')).toStrictEqual(range(1, 4).map((id) => petRecord(id)))
        expect(tagged('IdempotencyKey')).toStrictEqual([heldKey(2)])
        expect(tagged('StoreState').at(-1)).toStrictEqual(state(4n))
      })

      it('returns each of many records once: pets in order, idempotency keys after their pets', async () => {
        const { archive } = await fresh()
        const ids = range(1, 2_345)
        const records = ids.flatMap((id) => [petRecord(id), heldKey(id)])
        for (let at = 0; at < records.length; at += 500) await addTo(archive, ...records.slice(at, at + 500))
        const found: readonly [pets: number[], keys: Set<bigint>] = [[], new Set()]
        for (const item of await recordsIn(archive)) {
          if (item._tag === 'Pet') found[0].push(Number(item.event.pet.id))
          if (item._tag !== 'IdempotencyKey') continue
          expect(Number(item.petId)).toBeLessThanOrEqual(found[0].at(-1) ?? 0)
          expect(found[1].size).toBeLessThan(found[1].add(item.petId).size)
        }
        expect(found).toStrictEqual([ids, new Set(ids.map(BigInt))])
      })

      it('can be stopped early, and reads while others write', async () => {
        const { archive, pets } = await fresh()
        for (const first of [1, 501, 1_001])
          await addTo(archive, ...range(first, first + 499).map((id) => petRecord(id)))
        const more = [2_002, 2_001]
        for await (const _ of archive.read(NOW)) {
          await succeed(pets.add(record(numbered(more.pop() ?? 0))))
          if (more.length === 0) break
        }
        expect(await recordsIn(archive)).toHaveLength(1_502)
        expect(await succeed(pets.count(ALL_PETS))).toBe(1_502)
      })
    })

    it('returns every record exactly as it was added, and lists, counts and finds the pets', async () => {
      const { archive, pets } = await fresh()
      const odd: NewPet = { name: ' \0\u{1f436}e\u0301"\\\u2028$.{} ', categoryId: 0n }
      const records = [
        keyRecord(),
        keyRecord(fullApiKey),
        keyRecord(apiKeyOf('c')),
        petRecord(1, odd),
        petRecord(2, { name: '\u{1f436}'.repeat(256), categoryId: MIN_INT64, status: 'sold' }),
        petRecord(Number(MAX_PET_ID), { name: '__proto__', categoryId: MAX_INT64, status: 'available' }),
      ]
      await addTo(archive, ...records)
      const found = await recordsIn(archive)
      expect(found.filter(({ _tag }) => _tag === 'Pet')).toStrictEqual(records.slice(3))
      expect(new Set(found)).toStrictEqual(new Set(records))
      expect(await idsOf(pets, {})).toStrictEqual([Number(MAX_PET_ID), 2, 1])
      const sold = { status: O.some<PetStatus>('sold') }
      expect([await idsOf(pets, sold), await succeed(pets.count({ ...ALL_PETS, ...sold }))]).toStrictEqual([[2], 1])
      expect(await succeed(pets.findById(1n))).toStrictEqual(O.some(numbered(1, odd)))
    })

    describe('add', () => {
      const ALL = [keyRecord(), petRecord(1), petRecord(2), heldKey(1)]
      const another: PetArchived = { _tag: 'Pet', event: { ...event(1), eventId: 'another' } }

      it('adds what is absent, and nothing the second time', async () => {
        const { archive } = await fresh()
        expect(await addTo(archive, ...ALL.slice(0, 2))).toStrictEqual(ALL.slice(0, 2))
        expect(await addTo(archive, ...ALL)).toStrictEqual(ALL.slice(2))
        const before = await readAll(archive)
        expect(await addTo(archive, ...ALL)).toStrictEqual([])
        expect(await readAll(archive)).toStrictEqual(before)
      })

      it.each<readonly [string, readonly Counted[], readonly Counted[], number]>([
        ['another pet', [petRecord(1)], [another, petRecord(2)], 0],
        ['a pet below all', [petRecord(1)], [petRecord(2)], 0],
        ['a pet between two', [petRecord(1), petRecord(2)], [petRecord(1), petRecord(3)], 1],
        ['a pet above all', [petRecord(1), petRecord(2)], [petRecord(1)], 1],
        ['another state of an API key', [keyRecord()], [petRecord(1), keyRecord({ revokedAt: O.some(7_000) })], 1],
        ['another holder of a key', [petRecord(1), heldKey(1, 'k')], [petRecord(1), petRecord(2), heldKey(2, 'k')], 2],
        ['no pet for an idempotency key', [], [petRecord(1), heldKey(2)], 1],
      ])('adds nothing of a batch if the store has %s, and says where', async (_, stored, records, at) => {
        const { archive } = await fresh()
        await addTo(archive, ...stored)
        const before = await readAll(archive)
        const failure = await fail(adding(archive, records, { after: 0n, lastId: O.some(9n) }))
        expect(failure).toMatchObject({ _tag: 'RecordDiffers', at })
        expect(await readAll(archive)).toStrictEqual(before)
      })

      it('needs no equal last use of an API key, and lets the store have others', async () => {
        const { archive, apiKeys } = await fresh()
        const { key } = keyRecord({ id: 'own' })
        await succeed(apiKeys.add(key))
        await addTo(archive, keyRecord({ lastUsedAt: O.some(9_000) }))
        expect(await addTo(archive, keyRecord({ lastUsedAt: O.none }), petRecord(1))).toStrictEqual([petRecord(1)])
        expect(await succeed(apiKeys.find('own'))).toStrictEqual(O.some(key))
      })

      it('keeps an idempotency key of its lineage until it expires, for a retry and the next export, and then gives it to another pet', async () => {
        const { archive, pets } = await fresh()
        const kept = [petRecord(1), petRecord(2), heldKey(2, 'k', 60_000, 'b')]
        expect(await addTo(archive, heldKey(1, 'expired', NOW, 'b'), ...kept)).toStrictEqual(kept)
        expect(await recordsIn(archive, 59_999)).toStrictEqual(kept)
        expect(await recordsIn(archive, 60_000)).toStrictEqual(kept.slice(0, 2))
        const find = (key: string, at: number) => succeed(pets.findByIdempotencyKey({ lineage: 'b', key }, at))
        expect(await find('expired', 1)).toStrictEqual(O.none)
        expect(await find('k', 59_999)).toStrictEqual(O.some(event(2).pet))
        const add = (id: number, at: number) => succeed(pets.add(record(numbered(id), held('b', 'k', at + 10_000), at)))
        expect(await add(3, 59_999)).toStrictEqual({ _tag: 'KeyTaken', by: event(2).pet })
        expect(await add(4, 60_000)).toStrictEqual(added(4))
        await succeed(adding(archive, [petRecord(5), heldKey(5, 'k', 90_000, 'b')], { now: 70_000 }))
        expect(await find('k', 70_000)).toStrictEqual(O.some(event(5).pet))
      })

      it('continues with ids above the last one of the export, in a log where no reader waits for those below', async () => {
        const store = await fresh()
        await succeed(adding(store.archive, [petRecord(2), petRecord(10)], { lastId: O.some(2_000_000n) }))
        expect((await readAll(store.archive)).filter(({ _tag }) => _tag === 'StoreState').at(-1)).toStrictEqual(
          state(2_000_000n),
        )
        const last = await create(store)
        expect(last.pet.id).toBeGreaterThan(2_000_000n)
        expect(await readThrough(store.log, eventNumber(last))).toStrictEqual([event(2), event(10), last])
      })

      it('lowers no counter of ids', async () => {
        const { archive, ids } = await fresh()
        const [, , third = 0n] = await Promise.all(range(1, 3).map(() => succeed(ids.next)))
        await succeed(adding(archive, [petRecord(1)], { lastId: O.some(1n) }))
        expect(await succeed(ids.next)).toBeGreaterThan(third)
      })

      it('lets no create take the place of a pet, even if its last batch is missing', async () => {
        const { archive, pets } = await fresh()
        await addTo(archive, petRecord(1), petRecord(2))
        expect(await succeed(pets.add(record(numbered(1))))).not.toMatchObject({ id: 1n })
        expect(await idsOf(pets, {})).toHaveLength(3)
        expect(await succeed(pets.findById(1n))).toStrictEqual(O.some(event(1).pet))
      })
    })
  })
}

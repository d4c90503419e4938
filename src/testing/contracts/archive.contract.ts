// The contract of an archive, together with the other ports of its store.
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { MAX_INT64, MIN_INT64 } from '../../domain/codecs/scalar.js'
import { eventNumber } from '../../domain/events/domain-event.js'
import { MAX_PET_ID, type NewPet, type PetStatus } from '../../domain/pets/pet.js'
import { ALL_PETS } from '../../domain/pets/pet-query.js'
import type { ArchivedStore } from '../../ports/store.js'
import { added, event, held, idsOf, NOW, numbered, range, record, succeed } from '../samples.js'
import { heldRecord, petRecord, readAll, recordOfEach, restoreInto } from './archive-samples.js'
import { create, readThrough } from './event-log-samples.js'
import { opened } from './store.contract.js'

/** A store may sync each record on its own. */
const MANY = { timeout: 60_000 }

/** The suite, for vitest; `make` opens an empty store for each test. */
export const archiveContract = (name: string, make: () => Promise<ArchivedStore>): void => {
  describe(`Archive: ${name}`, () => {
    const fresh = () => opened(make)

    describe('read', () => {
      it('reads what was added through the other ports, with idempotency keys', async () => {
        const { archive, pets, ids } = await fresh()
        expect([await readAll(archive), await succeed(archive.lastId)]).toStrictEqual([
          { records: [], damaged: [] },
          0n,
        ])
        const records = range(1, 4).map((id) => (id === 2 ? heldRecord(id) : petRecord(id)))
        for (const one of records) {
          await succeed(ids.next)
          await succeed(pets.add(one))
        }
        expect(await readAll(archive)).toStrictEqual({ records, damaged: [] })
        expect(await succeed(archive.lastId)).toBe(4n)
      })

      it('returns each of many records once, in order, across gaps of any length', MANY, async () => {
        const { archive } = await fresh()
        const ids = [...range(1, 1_234), ...range(3_000_000_000, 3_000_000_005)]
        const records = ids.map((id) => heldRecord(id))
        await restoreInto(archive, ...records)
        // a second time, too: stores may keep parts of what they have read
        for (const _ of range(1, 2)) expect((await readAll(archive)).records).toStrictEqual(records)
      })

      it('reads while others write', MANY, async () => {
        const { archive, pets } = await fresh()
        await restoreInto(archive, ...range(1, 1_050).map((id) => petRecord(id)))
        const first = await succeed(archive.read(0n))
        await succeed(pets.add(record(numbered(1_051), held('a', 'late'))))
        const next = first.next
        expect(O.isSome(next)).toBe(true)
        const { records } = await readAll({ ...archive, read: (after) => archive.read(after > 0n ? after : 1_000n) })
        expect(records.at(-1)?.idempotencyKey).toMatchObject(O.some({ key: 'late' }))
      })
    })

    it('returns every record exactly as it was restored, and lists, counts and finds the pets', async () => {
      const { archive, pets } = await fresh()
      const odd: NewPet = { name: ' \0\u{1f436}e\u0301"\\\u2028$.{} ', categoryId: 0n }
      const records = [
        petRecord(1, odd),
        petRecord(2, { name: '\u{1f436}'.repeat(256), categoryId: MIN_INT64, status: 'sold' }),
        petRecord(Number(MAX_PET_ID), { name: '__proto__', categoryId: MAX_INT64, status: 'available' }),
      ]
      await restoreInto(archive, ...records)
      expect((await readAll(archive)).records).toStrictEqual(records)
      expect(await idsOf(pets, {})).toStrictEqual([Number(MAX_PET_ID), 2, 1])
      const sold = { status: O.some<PetStatus>('sold') }
      expect([await idsOf(pets, sold), await succeed(pets.count({ ...ALL_PETS, ...sold }))]).toStrictEqual([[2], 1])
      expect(await succeed(pets.findById(1n))).toStrictEqual(O.some(numbered(1, odd)))
    })

    it('keeps a record of each type of event, and has it in its log', async () => {
      const { archive, log } = await fresh()
      const records = recordOfEach(1)
      await restoreInto(archive, ...records)
      await succeed(archive.end(BigInt(records.length)))
      expect((await readAll(archive)).records).toStrictEqual(records)
      expect(await readThrough(log, records.length)).toStrictEqual(records.map(({ event }) => event))
    })

    describe('restore', () => {
      it('adds what is absent, nothing the second time, and nothing in the place of another record', async () => {
        const { archive } = await fresh()
        const records = [petRecord(1), heldRecord(2), petRecord(7)]
        expect(await restoreInto(archive, ...records.slice(1))).toStrictEqual(['added', 'added'])
        expect(await restoreInto(archive, ...records)).toStrictEqual(['added', 'unchanged', 'unchanged'])
        const another = { ...petRecord(2), event: { ...event(2), eventId: 'another' } }
        expect(await restoreInto(archive, another, petRecord(8))).toStrictEqual(['different', 'added'])
        expect((await readAll(archive)).records).toStrictEqual([...records, petRecord(8)])
      })

      it('keeps an idempotency key of its lineage until it expires, and then gives it to another pet', async () => {
        const { archive, pets } = await fresh()
        const end = NOW + 60_000
        await restoreInto(archive, petRecord(1), heldRecord(2, 'k', end, 'b'))
        const find = (at: number) => succeed(pets.findByIdempotencyKey({ lineage: 'b', key: 'k' }, at))
        expect([await find(end - 1), await find(end)]).toStrictEqual([O.some(event(2).pet), O.none])
        const add = (id: number, at: number) => succeed(pets.add(record(numbered(id), held('b', 'k', at + 10_000), at)))
        expect(await add(3, end - 1)).toStrictEqual({ _tag: 'KeyTaken', by: event(2).pet })
        expect(await add(4, end)).toStrictEqual(added(4))
      })

      it('lets no create take the place of a pet, even if the import never ends', async () => {
        const { archive, pets } = await fresh()
        await restoreInto(archive, petRecord(1), petRecord(2))
        expect(await succeed(pets.add(record(numbered(1))))).not.toMatchObject({ id: 1n })
        expect(await idsOf(pets, {})).toHaveLength(3)
        expect(await succeed(pets.findById(1n))).toStrictEqual(O.some(event(1).pet))
      })
    })

    describe('end', () => {
      it('lets ids continue above the last one of the export, in a log where no reader waits for those below', async () => {
        const store = await fresh()
        await restoreInto(store.archive, petRecord(2), petRecord(10))
        await succeed(store.archive.end(2_000_000n))
        expect(await succeed(store.archive.lastId)).toBe(2_000_000n)
        const last = await create(store)
        expect(last.pet.id).toBeGreaterThan(2_000_000n)
        expect(await readThrough(store.log, eventNumber(last))).toStrictEqual([event(2), event(10), last])
      })

      it('lowers no last id', async () => {
        const store = await fresh()
        for (const last of [100n, 50n]) await succeed(store.archive.end(last))
        expect(await succeed(store.archive.lastId)).toBe(100n)
        expect((await create(store)).pet.id).toBeGreaterThan(100n)
      })

      it('lowers no counter of ids', async () => {
        const { archive, ids } = await fresh()
        const [, , third = 0n] = await Promise.all(range(1, 3).map(() => succeed(ids.next)))
        await restoreInto(archive, petRecord(1))
        await succeed(archive.end(1n))
        expect(await succeed(ids.next)).toBeGreaterThan(third)
      })
    })
  })
}

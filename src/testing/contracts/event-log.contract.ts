// The contract of an event log, together with the repository and the ids of the same storage.
import { describe, expect, it, onTestFinished } from 'vitest'
import { eventNumber } from '../../domain/events/domain-event.js'
import { succeed } from '../outcome.js'
import { eventLogLawContract } from './event-log-law.contract.js'
import {
  create,
  createMany,
  type EventLogHarness,
  event,
  headOf,
  numbersOf,
  PATIENCE_MS,
  readThrough,
} from './event-log-samples.js'
import { held, numbered, range, record, recordOf } from './pet-samples.js'

export interface EventLogOptions {
  /** Number of random histories; fewer where each of them waits for ids that nobody uses. */
  readonly runs?: number
}

/**
 * The vitest suite; `make` opens an empty storage for each test.
 *
 * @example
 * eventLogContract('mine', async () => {
 *   const store = makeMemoryStore()
 *   return { stores: [store, store], close: store.close }
 * })
 */
export const eventLogContract = (
  name: string,
  make: () => Promise<EventLogHarness>,
  { runs = 30 }: EventLogOptions = {},
): void => {
  describe(`EventLog: ${name}`, { timeout: 2 * PATIENCE_MS }, () => {
    const fresh = async (): Promise<EventLogHarness['stores']> => {
      const harness = await make()
      onTestFinished(() => harness.close())
      return harness.stores
    }

    it('belongs to the storage of the pets, of the ids and of the relay', async () => {
      const [{ pets, ids, log, relay }, other] = await fresh()
      expect(new Set([pets, ids, log, relay].map(({ storage }) => storage)).size).toBe(1)
      expect((await succeed(log.head)).logId).toMatch(/^[\w-]{8,64}$/)
      expect((await succeed(other.log.head)).logId).toBe((await succeed(log.head)).logId)
    })

    it('is empty at first', async () => {
      const [{ log }] = await fresh()
      expect(await succeed(log.read({ after: 0, limit: 10 }))).toStrictEqual({ events: [], damaged: [], upTo: 0 })
      expect(await succeed(log.head)).toMatchObject({ last: 0 })
    })

    it('returns every event exactly, in the order of their numbers, from any position and in pages of any size', async () => {
      const [store] = await fresh()
      const created = await createMany(store, 12)
      const last = await headOf(store)
      expect(last).toBe(Number(created.at(-1)?.pet.id))
      for (const limit of [1, 2, 5, 12, 13, 100]) {
        expect(await readThrough(store.log, last, { limit })).toStrictEqual(created)
      }
      for (const [at, { pet }] of created.entries()) {
        expect(await readThrough(store.log, last, { after: Number(pet.id), limit: 4 })).toStrictEqual(
          created.slice(at + 1),
        )
      }
      expect(await succeed(store.log.read({ after: last, limit: 1 }))).toStrictEqual({
        events: [],
        damaged: [],
        upTo: last,
      })
    })

    it('shows each process what the others have added', async () => {
      const [one, other] = await fresh()
      const created = [await create(one), await create(other), await create(one)]
      const last = eventNumber(created[2] ?? event(0))
      expect(await readThrough(one.log, last)).toStrictEqual(created)
      expect(await readThrough(other.log, last)).toStrictEqual(created)
    })

    it('gives out no position beyond its head', async () => {
      const [store] = await fresh()
      await create(store)
      const page = await succeed(store.log.read({ after: 1_000_000, limit: 10 }))
      expect(page).toMatchObject({ events: [], damaged: [] })
      expect(page.upTo).toBeLessThanOrEqual(await headOf(store))
    })

    it('has no event of an add that returned `KeyTaken` or `IdTaken` [log]', async () => {
      const [store] = await fresh()
      const { pets, ids, log } = store
      const idempotencyKey = held('a', 'k', 90_000)
      const first = event(await succeed(ids.next))
      await succeed(pets.add({ event: first, idempotencyKey }))
      const second = event(await succeed(ids.next))
      expect(await succeed(pets.add({ event: second, idempotencyKey }))).toMatchObject({ _tag: 'KeyTaken' })
      expect(await succeed(pets.add(record(numbered(first.pet.id))))).toStrictEqual({ _tag: 'IdTaken' })
      const last = await create(store)
      expect(await readThrough(log, eventNumber(last))).toStrictEqual([first, last])
    })

    it('goes on above an id that was drawn and never used', async () => {
      const [one, other] = await fresh()
      const first = await create(one)
      await succeed(other.ids.next)
      await Promise.all(range(1, 5).map(() => succeed(one.ids.next)))
      const last = await create(one)
      expect(await readThrough(other.log, eventNumber(last))).toStrictEqual([first, last])
    })

    it('takes no pet below a position that it has given out [log]', async () => {
      const [one, other] = await fresh()
      const early = event(await succeed(one.ids.next))
      const late = await create(other)
      await readThrough(other.log, eventNumber(late))
      expect(await succeed(one.pets.add(recordOf(early)))).toStrictEqual({ _tag: 'IdTaken' })
      const next = await create(one)
      expect(await readThrough(one.log, eventNumber(next))).toStrictEqual([late, next])
    })

    it('takes the pets of many creates at once, in whatever order they arrive', async () => {
      const [one, other] = await fresh()
      const drawn = await Promise.all(
        range(1, 20).flatMap(() => [one, other].map(async (store) => ({ store, id: await succeed(store.ids.next) }))),
      )
      const added = await Promise.all(
        drawn.toReversed().map(async ({ store, id }) => {
          const { _tag } = await succeed(store.pets.add(recordOf(event(id))))
          return _tag === 'Added' ? [Number(id)] : []
        }),
      )
      const last = await create(one)
      const found = await readThrough(other.log, eventNumber(last))
      expect(numbersOf({ events: found })).toStrictEqual([...added.flat(), eventNumber(last)].sort((a, b) => a - b))
    })

    eventLogLawContract(make, runs)
  })
}

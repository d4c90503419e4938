// The contract of an outbox, together with the pet repository whose records it reads.
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { succeed } from '../outcome.js'
import { outboxClaimsContract } from './outbox-claims.contract.js'
import { add, claim, event, type OutboxHarness, parked, retry, sent } from './outbox-samples.js'
import { held, range, recordOf } from './pet-samples.js'

/**
 * The vitest suite; `make` opens an empty store for each test, which queues new events if `isRelayed` is true.
 *
 * @since 1.0.0 @category Contract suites
 * @example
 * outboxContract('mine', async (isRelayed) => ({ ...makeMemoryStore({ isRelayed }), close: async () => {} }))
 */
export const outboxContract = (name: string, make: (isRelayed: boolean) => Promise<OutboxHarness>): void => {
  describe(`Outbox: ${name}`, () => {
    const fresh = async (isRelayed = true): Promise<OutboxHarness> => {
      const harness = await make(isRelayed)
      onTestFinished(() => harness.close())
      return harness
    }
    const nothing = { size: 0, oldest: O.none, parked: 0, hasSent: false }
    const allTime = { _tag: 'CreatedBetween', from: 0, to: 10_000_000 } as const

    outboxClaimsContract(fresh)

    it('keeps a sent event as sent, even if a late relay settles it again', async () => {
      const store = await fresh()
      await add(store, event(1))
      await succeed(store.outbox.settle([sent(1)]))
      await succeed(store.outbox.settle([retry(1, 0), parked(1, 'late')]))
      expect(await claim(store.outbox)).toStrictEqual([])
      expect(await succeed(store.outbox.backlog)).toStrictEqual({ ...nothing, hasSent: true })
    })

    it('sets a parked event aside with its reason, until it is requeued', async () => {
      const store = await fresh()
      const { outbox } = store
      await add(store, event(1), event(2))
      await claim(outbox)
      await succeed(outbox.settle([retry(1, 0), parked(1, 'too "large" \u{1f436}'), sent(2)]))
      // a late relay
      await succeed(outbox.settle([sent(1)]))
      expect(await claim(outbox, { now: 500_000, leaseUntil: 600_000 })).toStrictEqual([])
      expect(await succeed(outbox.parked)).toStrictEqual([{ event: event(1), reason: 'too "large" \u{1f436}' }])
      expect(await succeed(outbox.requeue({ _tag: 'Parked' }))).toBe(1)
      expect(await succeed(outbox.parked)).toStrictEqual([])
      expect(await claim(outbox)).toStrictEqual([{ event: event(1), failures: 0 }])
    })

    it('reports the size and the oldest event of the backlog, including claimed and excluding parked events', async () => {
      const store = await fresh()
      const { outbox } = store
      await add(store, event(1, 9_000), event(2, 3_000), event(3, 1_000))
      expect(await succeed(outbox.backlog)).toStrictEqual({ ...nothing, size: 3, oldest: O.some(1_000) })
      await claim(outbox)
      await succeed(outbox.settle([parked(3, 'bad'), retry(1, 0)]))
      expect(await succeed(outbox.backlog)).toStrictEqual({ ...nothing, size: 2, oldest: O.some(3_000), parked: 1 })
      await succeed(outbox.settle([sent(1), sent(2)]))
      expect(await succeed(outbox.backlog)).toStrictEqual({ ...nothing, parked: 1, hasSent: true })
    })

    it('remembers that an event was sent, even after it is requeued', async () => {
      const store = await fresh()
      await add(store, event(1))
      await succeed(store.outbox.settle([retry(1, 0)]))
      expect(await succeed(store.outbox.backlog)).toMatchObject({ hasSent: false })
      await succeed(store.outbox.settle([sent(1)]))
      await succeed(store.outbox.requeue(allTime))
      expect(await succeed(store.outbox.backlog)).toMatchObject({ size: 1, hasSent: true })
    })

    it('stores no event if `add` returns `KeyTaken`', async () => {
      const { pets, outbox } = await fresh()
      const idempotencyKey = held('a', 'k', 90_000)
      await succeed(pets.add({ event: event(1), idempotencyKey }))
      expect(await succeed(pets.add({ event: event(2), idempotencyKey }))).toMatchObject({ _tag: 'KeyTaken' })
      expect(await succeed(outbox.backlog)).toStrictEqual({ ...nothing, size: 1, oldest: O.some(1_000) })
      expect(await succeed(outbox.requeue(allTime))).toBe(1)
      expect(await claim(outbox)).toStrictEqual([{ event: event(1), failures: 0 }])
    })

    it('stores no event if `add` returns `IdTaken`', async () => {
      const { pets, outbox } = await fresh()
      await succeed(pets.add(recordOf(event(1))))
      const other = recordOf({ ...event(1), eventId: 'another event', time: 500 })
      expect(await succeed(pets.add(other))).toStrictEqual({ _tag: 'IdTaken' })
      expect(await succeed(outbox.backlog)).toStrictEqual({ ...nothing, size: 1, oldest: O.some(1_000) })
      expect(await claim(outbox)).toStrictEqual([{ event: event(1), failures: 0 }])
    })

    describe('requeue', () => {
      it('requeues the events of a time range, from its start until before its end', async () => {
        const store = await fresh()
        const { outbox } = store
        await add(store, event(1), event(2), event(3), event(4))
        await claim(outbox)
        await succeed(outbox.settle([sent(1), sent(2), parked(3, 'bad'), sent(4)]))
        expect(await succeed(outbox.requeue({ _tag: 'CreatedBetween', from: 2_000, to: 4_000 }))).toBe(2)
        expect(await claim(outbox)).toStrictEqual([2, 3].map((id) => ({ event: event(id), failures: 0 })))
        expect(await succeed(outbox.backlog)).toMatchObject({ parked: 0 })
      })

      it('requeues every event, however many there are', async () => {
        const store = await fresh()
        const { outbox } = store
        const ids = range(1, 600)
        await add(store, ...ids.map((id) => event(id)))
        const settlements = ids.map((id) => (id % 2 === 0 ? sent(id) : parked(id, 'bad')))
        for (let at = 0; at < ids.length; at += 100) await succeed(outbox.settle(settlements.slice(at, at + 100)))
        expect(await succeed(outbox.requeue({ _tag: 'Parked' }))).toBe(300)
        expect(await succeed(outbox.backlog)).toMatchObject({ size: 300, parked: 0 })
        expect(await succeed(outbox.requeue(allTime))).toBe(600)
        expect(await succeed(outbox.backlog)).toMatchObject({ size: 600 })
      })

      it('makes a claimed event due at once', async () => {
        const store = await fresh()
        await add(store, event(1))
        await claim(store.outbox)
        expect(await succeed(store.outbox.requeue(allTime))).toBe(1)
        expect(await claim(store.outbox)).toStrictEqual([{ event: event(1), failures: 0 }])
      })

      it('requeues events that were added while the store was not relayed', async () => {
        const store = await fresh(false)
        await add(store, event(1), event(2))
        expect(await succeed(store.outbox.backlog)).toStrictEqual(nothing)
        expect(await claim(store.outbox)).toStrictEqual([])
        expect(await succeed(store.outbox.requeue(allTime))).toBe(2)
        expect(await claim(store.outbox)).toStrictEqual([1, 2].map((id) => ({ event: event(id), failures: 0 })))
      })
    })
  })
}

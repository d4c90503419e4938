// The part of an outbox's contract that is about claims: which events, to whom, in which order.
import { describe, expect, it } from 'vitest'
import { succeed } from '../outcome.js'
import { add, claim, event, type FreshOutbox, idsOf, retry, sent } from './outbox-samples.js'

export const outboxClaimsContract = (fresh: FreshOutbox): void => {
  describe('claim', () => {
    it('returns the events of new pets exactly, oldest first', async () => {
      const store = await fresh()
      await add(store, event(3), event(1), event(2))
      expect(await claim(store.outbox)).toStrictEqual([1, 2, 3].map((id) => ({ event: event(id), failures: 0 })))
    })

    it('returns no more events than the limit, longest due first', async () => {
      const store = await fresh()
      await add(store, event(3, 5_001), event(1, 6_000), event(4, 4_000), event(2, 5_000))
      expect(idsOf(await claim(store.outbox, { limit: 2 }))).toStrictEqual([4, 2])
      expect(idsOf(await claim(store.outbox, { limit: 2 }))).toStrictEqual([3, 1])
    })

    it('returns a failed event before newer ones, however many there are', async () => {
      const store = await fresh()
      await add(store, event(1))
      await claim(store.outbox)
      await succeed(store.outbox.settle([retry(1, 10_000)]))
      await add(store, event(11), event(12), event(13))
      expect(idsOf(await claim(store.outbox, { limit: 2 }))).toStrictEqual([1, 11])
    })

    it('returns a new event before older ones that keep failing, however many there are', async () => {
      const store = await fresh()
      await add(store, event(1), event(2), event(3))
      await claim(store.outbox)
      await succeed(store.outbox.settle([retry(1, 50_000), retry(2, 50_000), retry(3, 50_000)]))
      await add(store, event(4, 49_999))
      expect(idsOf(await claim(store.outbox, { limit: 2 }))).toStrictEqual([4, 1])
    })

    it('gives each event to only one of many claimers', async () => {
      const store = await fresh()
      await add(store, ...[1, 2, 3, 4, 5, 6].map((id) => event(id)))
      const claims = await Promise.all([1, 2, 3, 4].map(() => claim(store.outbox, { limit: 2 })))
      const given = claims.flatMap(idsOf)
      expect(new Set(given).size).toBe(given.length)
      const rest = idsOf(await claim(store.outbox))
      expect([...given, ...rest].sort()).toStrictEqual([1, 2, 3, 4, 5, 6])
    })

    it('returns a claimed event again when the lease has expired, not before', async () => {
      const store = await fresh()
      await add(store, event(1))
      await claim(store.outbox)
      expect(await claim(store.outbox, { now: 129_999 })).toStrictEqual([])
      expect(idsOf(await claim(store.outbox, { now: 130_000, leaseUntil: 160_000 }))).toStrictEqual([1])
    })

    it('never returns a sent event again', async () => {
      const store = await fresh()
      await add(store, event(1), event(2))
      await claim(store.outbox)
      await succeed(store.outbox.settle([sent(1), sent(1), sent(99)]))
      expect(idsOf(await claim(store.outbox, { now: 500_000, leaseUntil: 600_000 }))).toStrictEqual([2])
    })

    it('returns a failed event again when it is due, with the number of its failures', async () => {
      const store = await fresh()
      await add(store, event(1))
      await claim(store.outbox)
      await succeed(store.outbox.settle([retry(1, 110_000)]))
      expect(await claim(store.outbox, { now: 109_999 })).toStrictEqual([])
      const later = { now: 110_000, leaseUntil: 111_000 }
      expect(await claim(store.outbox, later)).toStrictEqual([{ event: event(1), failures: 1 }])
      await succeed(store.outbox.settle([retry(1, 0)]))
      expect(await claim(store.outbox)).toStrictEqual([{ event: event(1), failures: 2 }])
    })

    describe('after the clock has stepped back', () => {
      const before = { now: 9_000_000, leaseUntil: 9_030_000, maxDueAt: 9_060_000 }
      const after = { now: 100_000, leaseUntil: 130_000, maxDueAt: 160_000 }

      it('returns an event whose lease ends later than any lease could end now', async () => {
        const store = await fresh()
        await add(store, event(1), event(2))
        await claim(store.outbox, { ...before, limit: 1 })
        expect(idsOf(await claim(store.outbox, after))).toStrictEqual([2, 1])
        expect(await claim(store.outbox, after)).toStrictEqual([])
        expect(idsOf(await claim(store.outbox, { ...after, now: 130_000 }))).toStrictEqual([1, 2])
      })

      it('returns an event whose retry is due later than any retry could be due now', async () => {
        const store = await fresh()
        await add(store, event(1), event(2))
        await claim(store.outbox, before)
        await succeed(store.outbox.settle([retry(1, 160_000), retry(2, 160_001)]))
        expect(idsOf(await claim(store.outbox, after))).toStrictEqual([2])
      })

      it('returns a new event from before the step', async () => {
        const store = await fresh()
        await add(store, event(1, 8_999_999), event(2, 1_000))
        expect(idsOf(await claim(store.outbox, after))).toStrictEqual([2, 1])
      })
    })
  })
}

// What every outbox promises, together with the pet repository whose records it reads.
import * as O from 'fp-ts/lib/Option.js'
import { afterEach, describe, expect, it } from 'vitest'
import type { PetCreated } from '../../domain/pet-created.js'
import type { ClaimedEvent, ClaimRequest, Outbox, Settlement } from '../../ports/outbox.js'
import type { PetRepository } from '../../ports/pet-repository.js'
import { succeed } from '../outcome.js'

export interface OutboxHarness {
  readonly pets: PetRepository
  readonly outbox: Outbox
  readonly close: () => Promise<void>
}

const event = (id: number, time = id * 1_000): PetCreated => ({
  eventId: `event-${id}`,
  time,
  pet: { id: BigInt(id), name: `pet ${id}`, categoryId: -1n, status: 'pending' },
})
const request = (changes: Partial<ClaimRequest> = {}): ClaimRequest => ({
  now: 100_000,
  leaseUntil: 130_000,
  limit: 10,
  ...changes,
})
const sent = (id: number): Settlement => ({ _tag: 'Sent', petId: BigInt(id) })
const retry = (id: number, at: number): Settlement => ({ _tag: 'Retry', petId: BigInt(id), at })
const parked = (id: number, reason: string): Settlement => ({ _tag: 'Parked', petId: BigInt(id), reason })
const idsOf = (claimed: readonly ClaimedEvent[]): readonly number[] =>
  claimed.map((claim) => Number(claim.event.pet.id))

/**
 * The suite, for vitest; `make` makes an empty store for each test whose new events wait to be sent.
 *
 * @example
 * outboxContract('mine', async () => ({ ...makeMemoryStore({ isRelayed: true }), close: async () => {} }))
 */
export const outboxContract = (name: string, make: () => Promise<OutboxHarness>): void => {
  describe(`Outbox: ${name}`, () => {
    const open: OutboxHarness[] = []
    afterEach(async () => {
      for (const harness of open.splice(0)) await harness.close()
    })
    const holding = async (...events: readonly PetCreated[]): Promise<Outbox> => {
      const harness = await make()
      open.push(harness)
      for (const added of events) await succeed(harness.pets.add({ event: added, idempotency: O.none }))
      return harness.outbox
    }
    const claim = (outbox: Outbox, changes: Partial<ClaimRequest> = {}) => succeed(outbox.claim(request(changes)))

    it('gives the events of new pets exactly, by pet id ascending', async () => {
      const outbox = await holding(event(3), event(1), event(2))
      expect(await claim(outbox)).toStrictEqual([1, 2, 3].map((id) => ({ event: event(id), failures: 0 })))
    })

    it('gives no more than the limit, the smallest ids first', async () => {
      const outbox = await holding(event(3), event(1), event(2))
      expect(idsOf(await claim(outbox, { limit: 2 }))).toStrictEqual([1, 2])
      expect(idsOf(await claim(outbox, { limit: 2 }))).toStrictEqual([3])
    })

    it('gives each event to one of many claimers', async () => {
      const outbox = await holding(...[1, 2, 3, 4, 5, 6].map((id) => event(id)))
      const claims = await Promise.all([1, 2, 3, 4].map(() => claim(outbox, { limit: 2 })))
      const given = claims.flatMap(idsOf)
      expect(new Set(given).size).toBe(given.length)
      const rest = idsOf(await claim(outbox))
      expect([...given, ...rest].sort()).toStrictEqual([1, 2, 3, 4, 5, 6])
    })

    it('gives a claimed event again once the lease has lapsed, not before', async () => {
      const outbox = await holding(event(1))
      await claim(outbox)
      expect(await claim(outbox, { now: 129_999 })).toStrictEqual([])
      expect(idsOf(await claim(outbox, { now: 130_000, leaseUntil: 160_000 }))).toStrictEqual([1])
    })

    it('never gives a sent event again', async () => {
      const outbox = await holding(event(1), event(2))
      await claim(outbox)
      await succeed(outbox.settle([sent(1), sent(1), sent(99)]))
      expect(idsOf(await claim(outbox, { now: 500_000, leaseUntil: 600_000 }))).toStrictEqual([2])
    })

    it('gives a failed event again when it is due, with its failures counted', async () => {
      const outbox = await holding(event(1))
      await claim(outbox)
      await succeed(outbox.settle([retry(1, 110_000)]))
      expect(await claim(outbox, { now: 109_999 })).toStrictEqual([])
      expect(await claim(outbox, { now: 110_000, leaseUntil: 111_000 })).toStrictEqual([
        { event: event(1), failures: 1 },
      ])
      await succeed(outbox.settle([retry(1, 0)]))
      expect(await claim(outbox)).toStrictEqual([{ event: event(1), failures: 2 }])
    })

    it('keeps what is settled as sent, whatever a late relay says', async () => {
      const outbox = await holding(event(1))
      await succeed(outbox.settle([sent(1)]))
      await succeed(outbox.settle([retry(1, 0), parked(1, 'late')]))
      expect(await claim(outbox)).toStrictEqual([])
      expect(await succeed(outbox.backlog)).toStrictEqual({ size: 0, oldest: O.none, parked: 0 })
    })

    it('sets a parked event aside with its reason, until it is requeued', async () => {
      const outbox = await holding(event(1), event(2))
      await claim(outbox)
      await succeed(outbox.settle([retry(1, 0), parked(1, 'too "large" \u{1f436}'), sent(2)]))
      expect(await claim(outbox, { now: 500_000, leaseUntil: 600_000 })).toStrictEqual([])
      expect(await succeed(outbox.parked)).toStrictEqual([{ event: event(1), reason: 'too "large" \u{1f436}' }])
      expect(await succeed(outbox.requeue({ _tag: 'Parked' }))).toBe(1)
      expect(await succeed(outbox.parked)).toStrictEqual([])
      expect(await claim(outbox)).toStrictEqual([{ event: event(1), failures: 0 }])
    })

    it('tells the size and the oldest of the backlog, claimed events included, parked ones apart', async () => {
      const outbox = await holding(event(1, 9_000), event(2, 3_000), event(3, 1_000))
      expect(await succeed(outbox.backlog)).toStrictEqual({ size: 3, oldest: O.some(1_000), parked: 0 })
      await claim(outbox)
      await succeed(outbox.settle([parked(3, 'bad'), retry(1, 0)]))
      expect(await succeed(outbox.backlog)).toStrictEqual({ size: 2, oldest: O.some(3_000), parked: 1 })
      await succeed(outbox.settle([sent(1), sent(2)]))
      expect(await succeed(outbox.backlog)).toStrictEqual({ size: 0, oldest: O.none, parked: 1 })
    })

    it('requeues the events of a time, from its first instant to before its last', async () => {
      const outbox = await holding(event(1), event(2), event(3), event(4))
      await claim(outbox)
      await succeed(outbox.settle([sent(1), sent(2), parked(3, 'bad'), sent(4)]))
      expect(await succeed(outbox.requeue({ _tag: 'CreatedBetween', from: 2_000, to: 4_000 }))).toBe(2)
      expect(await claim(outbox)).toStrictEqual([2, 3].map((id) => ({ event: event(id), failures: 0 })))
      expect(await succeed(outbox.backlog)).toMatchObject({ parked: 0 })
    })
  })
}

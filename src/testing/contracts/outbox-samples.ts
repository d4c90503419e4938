// Events, claims and settlements for the outbox suite.
import type { PetCreated } from '../../domain/events/pet-created.js'
import type { ClaimedEvent, ClaimRequest, Outbox, Settlement } from '../../ports/outbox.js'
import type { PetRepository } from '../../ports/pet-repository.js'
import { succeed } from '../outcome.js'
import { eventOf, numbered, recordOf } from './pet-samples.js'

/** @since 1.0.0 @category Contract suites */
export interface OutboxHarness {
  readonly pets: PetRepository
  readonly outbox: Outbox
  readonly close: () => Promise<void>
}

/** Opens an empty store, and closes it after the test. It queues new events unless `isRelayed` is false. */
export type FreshOutbox = (isRelayed?: boolean) => Promise<OutboxHarness>

export const event = (id: number, time = id * 1_000): PetCreated =>
  eventOf(numbered(id, { name: `pet ${id}`, categoryId: -1n, status: 'pending' }), {
    time,
    // only some requests belong to a trace
    ...(id % 2 === 1 && { traceparent: `00-${String(id).padStart(32, 'a')}-00f067aa0ba902b7-01` }),
  })

export const add = async ({ pets }: OutboxHarness, ...events: readonly PetCreated[]): Promise<void> => {
  await Promise.all(events.map((added) => succeed(pets.add(recordOf(added)))))
}

export const claim = (outbox: Outbox, changes: Partial<ClaimRequest> = {}): Promise<readonly ClaimedEvent[]> =>
  succeed(outbox.claim({ now: 100_000, leaseUntil: 130_000, maxDueAt: 1_000_000, limit: 10, ...changes }))

export const sent = (id: number): Settlement => ({ _tag: 'Sent', event: event(id) })
export const retry = (id: number, at: number): Settlement => ({ _tag: 'Retry', event: event(id), at })
export const parked = (id: number, reason: string): Settlement => ({ _tag: 'Parked', event: event(id), reason })

export const idsOf = (claimed: readonly ClaimedEvent[]): readonly number[] =>
  claimed.map((one) => Number(one.event.pet.id))

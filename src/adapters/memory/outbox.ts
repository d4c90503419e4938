// The unsent events of the memory adapter.
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { PetCreated } from '../../domain/pet-created.js'
import type {
  Backlog,
  ClaimedEvent,
  ClaimRequest,
  Outbox,
  ParkedEvent,
  Requeue,
  Settlement,
} from '../../ports/outbox.js'
import type { PetRecords, Unsent } from './pet-records.js'

export const makeMemoryOutbox = ({ events, unsent }: PetRecords): Outbox => {
  const eventsOf = (matches: (state: Unsent) => boolean): readonly (readonly [PetCreated, Unsent])[] =>
    [...unsent]
      .flatMap(([id, state]): [PetCreated, Unsent][] => {
        const event = events.get(id)
        return event !== undefined && matches(state) ? [[event, state]] : []
      })
      .sort(([one], [other]) => (one.pet.id < other.pet.id ? -1 : 1))

  const claim = ({ now, leaseUntil, limit }: ClaimRequest): readonly ClaimedEvent[] =>
    eventsOf((state) => state.parkedBecause === undefined && state.dueAt <= now)
      .slice(0, limit)
      .map(([event, state]) => {
        state.dueAt = leaseUntil
        return { event, failures: state.failures }
      })

  const settle = (settlement: Settlement): void => {
    const id = Number(settlement.petId)
    const state = unsent.get(id)
    if (state === undefined) return
    switch (settlement._tag) {
      case 'Sent':
        unsent.delete(id)
        return
      case 'Retry':
        state.failures += 1
        state.dueAt = settlement.at
        return
      case 'Parked':
        state.parkedBecause = settlement.reason
    }
  }

  const backlog = (): Backlog => {
    const waiting = eventsOf((state) => state.parkedBecause === undefined).map(([event]) => event.time)
    const oldest = waiting.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY)
    return {
      size: waiting.length,
      oldest: pipe(oldest, O.fromPredicate(Number.isFinite)),
      parked: unsent.size - waiting.length,
    }
  }

  const requeue = (which: Requeue): number => {
    const chosen =
      which._tag === 'Parked'
        ? eventsOf((state) => state.parkedBecause !== undefined).map(([event]) => event)
        : [...events.values()].filter(({ time }) => time >= which.from && time < which.to)
    for (const { pet } of chosen) unsent.set(Number(pet.id), { failures: 0, dueAt: 0, parkedBecause: undefined })
    return chosen.length
  }

  const parked = (): readonly ParkedEvent[] =>
    eventsOf((state) => state.parkedBecause !== undefined).map(([event, state]) => ({
      event,
      reason: state.parkedBecause ?? '',
    }))

  return {
    claim: (request) => TE.fromIO(() => claim(request)),
    settle: (settlements) => TE.fromIO(() => settlements.forEach(settle)),
    backlog: TE.fromIO(backlog),
    parked: TE.fromIO(parked),
    requeue: (which) => TE.fromIO(() => requeue(which)),
  }
}

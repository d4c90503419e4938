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
import type { PetRecords } from './pet-records.js'
import type { Unsent } from './unsent-events.js'

const isWaiting = ({ parkedBecause }: Unsent): boolean => parkedBecause === undefined

export const makeMemoryOutbox = ({ events, unsent }: PetRecords): Outbox => {
  function* eventsOf(matches: (state: Unsent) => boolean): Generator<readonly [PetCreated, Unsent]> {
    for (const [id, state] of unsent.ascending()) {
      const event = events.get(id)
      if (event !== undefined && matches(state)) yield [event, state]
    }
  }

  const claim = ({ now, leaseUntil, limit }: ClaimRequest): readonly ClaimedEvent[] => {
    const claimed: ClaimedEvent[] = []
    for (const [event, state] of eventsOf((one) => isWaiting(one) && one.dueAt <= now)) {
      claimed.push({ event, failures: state.failures })
      state.dueAt = leaseUntil
      if (claimed.length === limit) break
    }
    return claimed
  }

  const settle = (settlement: Settlement): void => {
    const id = Number(settlement.petId)
    const state = unsent.find(id)
    if (state === undefined) return
    switch (settlement._tag) {
      case 'Sent':
        unsent.remove(id)
        return
      case 'Retry':
        state.failures += 1
        state.dueAt = settlement.at
        return
      case 'Parked':
        state.parkedBecause = settlement.reason
    }
  }

  const parked = (): readonly ParkedEvent[] =>
    [...eventsOf((state) => !isWaiting(state))].map(([event, { parkedBecause = '' }]) => ({
      event,
      reason: parkedBecause,
    }))

  const backlog = (): Backlog => {
    const waiting = [...eventsOf(isWaiting)].map(([event]) => event.time)
    const oldest = waiting.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY)
    return {
      size: waiting.length,
      oldest: pipe(oldest, O.fromPredicate(Number.isFinite)),
      parked: parked().length,
    }
  }

  const requeue = (which: Requeue): number => {
    const chosen =
      which._tag === 'Parked'
        ? parked().map(({ event }) => event)
        : [...events.values()].filter(({ time }) => time >= which.from && time < which.to)
    for (const { pet } of chosen) unsent.add(Number(pet.id))
    return chosen.length
  }

  return {
    claim: (request) => TE.fromIO(() => claim(request)),
    settle: (settlements) => TE.fromIO(() => settlements.forEach(settle)),
    backlog: TE.fromIO(backlog),
    parked: TE.fromIO(parked),
    requeue: (which) => TE.fromIO(() => requeue(which)),
  }
}

// The unsent events of the memory adapter.
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { matchEvent } from '../../domain/events/domain-event.js'
import type { PetCreated } from '../../domain/events/pet-created.js'
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
import { type Unsent, unsentFrom } from './unsent-events.js'

const isParked = ({ parkedBecause }: Unsent): boolean => parkedBecause !== undefined

/** The id of the pet in whose record the event is stored. */
const recordId = matchEvent({ PetCreated: ({ pet }) => Number(pet.id) })

export const makeMemoryOutbox = ({ events, unsent }: PetRecords): Outbox => {
  const eventsOf = (matches: (state: Unsent) => boolean): readonly (readonly [PetCreated, Unsent])[] =>
    [...unsent.all()].filter(matches).flatMap((state) => {
      const event = events.get(state.id)
      return event === undefined ? [] : [[event, state] as const]
    })

  let hasSent = false

  const claim = (request: ClaimRequest): readonly ClaimedEvent[] =>
    unsent.lease(request).flatMap(({ id, failures }) => {
      const event = events.get(id)
      return event === undefined ? [] : [{ event, failures }]
    })

  const settle = (settlement: Settlement): void => {
    const id = recordId(settlement.event)
    const state = unsent.find(id)
    if (state === undefined || isParked(state)) return
    switch (settlement._tag) {
      case 'Sent':
        unsent.remove(id)
        hasSent = true
        return
      case 'Retry':
        unsent.set({ ...state, failures: state.failures + 1, dueAt: settlement.at })
        return
      case 'Parked':
        unsent.set({ ...state, parkedBecause: settlement.reason })
    }
  }

  const parked = (): readonly ParkedEvent[] =>
    eventsOf(isParked)
      .map(([event, { parkedBecause = '' }]) => ({ event, reason: parkedBecause }))
      .sort((one, other) => (one.event.pet.id < other.event.pet.id ? -1 : 1))

  const backlog = (): Backlog => {
    const waiting = eventsOf((state) => !isParked(state)).map(([event]) => event.time)
    const oldest = waiting.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY)
    return {
      size: waiting.length,
      oldest: pipe(oldest, O.fromPredicate(Number.isFinite)),
      parked: parked().length,
      hasSent,
    }
  }

  const requeue = (which: Requeue): number => {
    const chosen =
      which._tag === 'Parked'
        ? parked().map(({ event }) => event)
        : [...events.values()].filter(({ time }) => time >= which.from && time < which.to)
    for (const { pet } of chosen) unsent.set(unsentFrom(Number(pet.id), 0))
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

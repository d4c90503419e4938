// The state of undelivered events, by the id of their pet.
import type { Instant } from '../../domain/codecs/instant.js'
import type { ClaimRequest } from '../../ports/outbox.js'
import { type Due, makeDueQueue } from './due-queue.js'

export interface Unsent extends Due {
  readonly failures: number
  readonly parkedBecause: string | undefined
}

export interface UnsentEvents {
  /** Adds or replaces the state of an event. */
  readonly set: (state: Unsent) => void
  readonly find: (id: number) => Unsent | undefined
  readonly remove: (id: number) => void
  readonly all: () => Iterable<Unsent>
  /** Leases the unparked events that are due; returns their previous state. */
  readonly lease: (request: ClaimRequest) => readonly Unsent[]
}

/** The state of a new or requeued event. */
export const unsentFrom = (id: number, dueAt: Instant): Unsent => ({
  id,
  dueAt,
  failures: 0,
  parkedBecause: undefined,
})

const isWaiting = ({ parkedBecause }: Unsent): boolean => parkedBecause === undefined

export const makeUnsentEvents = (): UnsentEvents => {
  const states = new Map<number, Unsent>()
  // a replaced or removed state stays in the queue until it comes up
  const queue = makeDueQueue<Unsent>()
  let latestDueAt: Instant = Number.NEGATIVE_INFINITY

  const set = (state: Unsent): void => {
    states.set(state.id, state)
    if (!isWaiting(state)) return
    queue.push(state)
    latestDueAt = Math.max(latestDueAt, state.dueAt)
  }

  /** After the clock has stepped back, which is rare enough to scan every event. */
  const pullForward = (now: Instant, maxDueAt: Instant): void => {
    latestDueAt = Number.NEGATIVE_INFINITY
    for (const state of states.values()) {
      if (!isWaiting(state)) continue
      if (state.dueAt > maxDueAt) set({ ...state, dueAt: now })
      else latestDueAt = Math.max(latestDueAt, state.dueAt)
    }
  }

  const isCurrent = (state: Unsent): boolean => states.get(state.id) === state

  const lease = ({ now, leaseUntil, maxDueAt, limit }: ClaimRequest): readonly Unsent[] => {
    if (latestDueAt > maxDueAt) pullForward(now, maxDueAt)
    const leased: Unsent[] = []
    for (let first = queue.first(); first !== undefined && leased.length < limit; first = queue.first()) {
      if (isCurrent(first) && first.dueAt > now) break
      queue.removeFirst()
      if (isCurrent(first)) leased.push(first)
    }
    for (const state of leased) set({ ...state, dueAt: leaseUntil })
    return leased
  }

  return {
    set,
    find: (id) => states.get(id),
    remove: (id) => void states.delete(id),
    all: () => states.values(),
    lease,
  }
}

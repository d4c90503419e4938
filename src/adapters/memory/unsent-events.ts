// The events that are not on record at their receiver, in the order of their pets' ids.
import type { Instant } from '../../domain/instant.js'

export interface Unsent {
  failures: number
  /** Not before this instant: the lease of a claim, or the back-off after a failure. */
  dueAt: Instant
  parkedBecause: string | undefined
}

export interface UnsentEvents {
  /** Makes the event of this pet unsent, due at once and without failures. */
  readonly add: (id: number) => void
  readonly find: (id: number) => Unsent | undefined
  readonly remove: (id: number) => void
  /** By id ascending; who stops early pays for no more. */
  readonly ascending: () => Iterable<readonly [id: number, state: Unsent]>
}

export const makeUnsentEvents = (): UnsentEvents => {
  let states = new Map<number, Unsent>()
  let greatest = 0
  let isAscending = true

  return {
    add: (id) => {
      // ids arrive in order but for concurrent creates and what is sent again
      if (id < greatest && !states.has(id)) isAscending = false
      greatest = Math.max(greatest, id)
      states.set(id, { failures: 0, dueAt: 0, parkedBecause: undefined })
    },
    find: (id) => states.get(id),
    remove: (id) => void states.delete(id),
    ascending: () => {
      if (!isAscending) states = new Map([...states].sort(([one], [other]) => one - other))
      isAscending = true
      return states
    },
  }
}

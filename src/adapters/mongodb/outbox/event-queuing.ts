// Decides whether the events of new pets are queued: a mark in the counter document, which is read with every drawn id.
import type { Collection } from 'mongodb'
import type { Notify } from '../../../ports/notice.js'
import { shareEqual } from '../batching/share-equal.js'
import { OPERATION_TIMEOUT_MS } from '../connection/connection.js'
import { COUNTER, type CounterDocument } from '../documents/counter-document.js'

/** How long a counter without the mark counts as current. A create normally draws its id less than this before its insert. */
const SIGHT_HOLDS_MS = 1_000

export interface EventQueuing {
  /** Records the counter as it was just read. */
  readonly see: (counter: CounterDocument) => void
  /** Whether this instance relays, or knows that another one does. */
  readonly isKnown: () => boolean
  /** Whether to queue a new event. Reads the counter only if it was not read recently. */
  readonly decide: () => boolean | Promise<boolean>
}

export interface EventQueuingSettings {
  readonly counters: Collection<CounterDocument>
  readonly isRelayed: boolean
  readonly notify: Notify
}

export const makeEventQueuing = ({ counters, isRelayed, notify }: EventQueuingSettings): EventQueuing => {
  let isKnown = isRelayed
  let seenAt = Number.NEGATIVE_INFINITY
  let isNoticed = isRelayed

  const see = (counter: CounterDocument | null): void => {
    // for good: a counter without the mark has lost it
    isKnown ||= counter?.isRelayed === true
    seenAt = performance.now()
  }

  const queue = (): boolean => {
    if (isKnown && !isNoticed) {
      isNoticed = true
      const message = 'EVENTS_URL is not set: new events wait until a process that has it sends them'
      notify({ level: 'warn', message, details: {} })
    }
    return isKnown
  }

  const read = shareEqual(
    () => COUNTER,
    async () => {
      see(await counters.findOne({ _id: COUNTER }))
      return queue()
    },
    { concurrency: 1, concurrencyPerKey: 1, timeoutMs: OPERATION_TIMEOUT_MS },
  )

  return {
    see,
    isKnown: () => isKnown,
    decide: () => (isKnown || performance.now() - seenAt <= SIGHT_HOLDS_MS ? queue() : read(undefined)),
  }
}

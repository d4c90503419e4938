// A priority queue (binary heap) of events, ordered by due time.
import type { Instant } from '../../domain/codecs/instant.js'

export interface Due {
  readonly id: number
  /** Not before this instant: the time of a new event, the lease of a claim, or the back-off after a failure. */
  readonly dueAt: Instant
}

export interface DueQueue<A extends Due> {
  readonly push: (entry: A) => void
  /** The entry with the earliest due time; of several, the one with the smallest id. */
  readonly first: () => A | undefined
  readonly removeFirst: () => void
}

const isBefore = (one: Due, other: Due): boolean =>
  one.dueAt < other.dueAt || (one.dueAt === other.dueAt && one.id < other.id)

export const makeDueQueue = <A extends Due>(): DueQueue<A> => {
  // the children of the entry at n are at 2n + 1 and 2n + 2, and come after it
  const heap: A[] = []

  const earlierChild = (parent: number): number => {
    const [left, right] = [heap[2 * parent + 1], heap[2 * parent + 2]]
    return left !== undefined && right !== undefined && isBefore(right, left) ? 2 * parent + 2 : 2 * parent + 1
  }

  const push = (entry: A): void => {
    let place = heap.length
    for (;;) {
      const up = (place - 1) >> 1
      const parent = heap[up]
      if (parent === undefined || !isBefore(entry, parent)) break
      heap[place] = parent
      place = up
    }
    heap[place] = entry
  }

  const removeFirst = (): void => {
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let place = 0
    for (;;) {
      const down = earlierChild(place)
      const child = heap[down]
      if (child === undefined || !isBefore(child, last)) break
      heap[place] = child
      place = down
    }
    heap[place] = last
  }

  return { push, first: () => heap[0], removeFirst }
}

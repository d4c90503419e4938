// Reports each part that the relay needs and that fails, once per outage, and that all of them work again.
import type { Notify } from '../../ports/notice.js'

const MESSAGES = {
  log: 'the log of events is unavailable',
  position: 'the position of the relay cannot be saved',
  delivery: 'events cannot be delivered',
}

type Part = keyof typeof MESSAGES

export const makeOutageReport = (notify: Notify) => {
  const failing = new Set<Part>()
  let failures = 0
  return {
    /** `isPartial`: something was achieved nevertheless. */
    fails: (part: Part, reason: unknown, isPartial = false): void => {
      failures = isPartial ? 1 : failures + 1
      if (!failing.has(part)) notify({ level: 'error', message: MESSAGES[part], details: { reason: String(reason) } })
      failing.add(part)
    },
    works: (part: Part): void => {
      if (!failing.delete(part) || failing.size > 0) return
      failures = 0
      notify({ level: 'info', message: 'event delivery has recovered', details: {} })
    },
    /** Consecutive failures, for the back-off. */
    failures: () => failures,
  }
}

export type OutageReport = ReturnType<typeof makeOutageReport>

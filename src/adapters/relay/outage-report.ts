// Reports each part that the relay needs and that fails, once per outage, and that all of them work again.
import type { Notify } from '../../ports/notice.js'

/** What is lost without the store is an error; events that a receiver does not take yet only wait. */
export const OUTAGE_NOTICES = {
  log: { level: 'error', message: 'the log of events is unavailable' },
  position: { level: 'error', message: 'the position of the relay cannot be saved' },
  delivery: { level: 'warn', message: 'events cannot be delivered' },
} as const

export const RECOVERED = { level: 'info', message: 'event delivery has recovered' } as const

type Part = keyof typeof OUTAGE_NOTICES

export const makeOutageReport = (notify: Notify) => {
  const failing = new Set<Part>()
  let failures = 0
  return {
    /** `isPartial`: something was achieved nevertheless. */
    fails: (part: Part, reason: unknown, isPartial = false): void => {
      failures = isPartial ? 1 : failures + 1
      if (!failing.has(part)) notify({ ...OUTAGE_NOTICES[part], details: { reason: String(reason) } })
      failing.add(part)
    },
    works: (part: Part): void => {
      if (!failing.delete(part) || failing.size > 0) return
      failures = 0
      notify({ ...RECOVERED, details: {} })
    },
    /** Consecutive failures, for the back-off. */
    failures: () => failures,
  }
}

export type OutageReport = ReturnType<typeof makeOutageReport>

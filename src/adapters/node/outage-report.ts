// Tells the operator that the relay cannot work, once per outage, and that it works again.
import type { Unavailable } from '../../domain/errors.js'
import type { Notify } from '../../ports/notice.js'

export interface OutageReport {
  readonly ofStore: (failure: Unavailable) => void
  /** Events could not be sent; some may have been. */
  readonly ofDelivery: (reason: string, isPartial: boolean) => void
  /** Ends an outage of the store. */
  readonly storeAnswers: () => void
  readonly end: () => void
  /** Consecutive failures, for the back-off. */
  readonly failures: () => number
}

export const makeOutageReport = (notify: Notify): OutageReport => {
  let part: 'none' | 'store' | 'delivery' = 'none'
  let failures = 0

  const fail = (failing: 'store' | 'delivery', message: string, reason: string): void => {
    failures += 1
    if (part !== failing) notify({ level: 'error', message, details: { reason } })
    part = failing
  }

  const end = (): void => {
    if (part !== 'none') notify({ level: 'info', message: 'event delivery has recovered', details: {} })
    part = 'none'
    failures = 0
  }

  return {
    ofStore: ({ cause }) => fail('store', 'the log of events is unavailable', String(cause)),
    ofDelivery: (reason, isPartial) => {
      if (isPartial) failures = 0
      fail('delivery', 'events cannot be delivered', reason)
    },
    storeAnswers: () => {
      if (part === 'store') end()
    },
    end,
    failures: () => failures,
  }
}

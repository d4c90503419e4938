// Reports that the relay cannot work, once per outage, and that it works again.
import type { Unavailable } from '../../domain/errors.js'
import type { Notify } from '../../ports/notice.js'

export interface OutageReport {
  readonly ofStore: (failure: Unavailable) => void
  /** Events could not be sent; some may have been. */
  readonly ofDelivery: (reason: string, isPartial: boolean) => void
  /** Ends an outage of the store. */
  readonly storeResponds: () => void
  readonly end: () => void
  /** Consecutive failures, for the back-off. */
  readonly failures: () => number
}

export const makeOutageReport = (notify: Notify): OutageReport => {
  let failing: 'store' | 'delivery' | undefined
  let failures = 0

  const fail = (part: 'store' | 'delivery', message: string, reason: string): void => {
    failures += 1
    if (failing !== part) notify({ level: 'error', message, details: { reason } })
    failing = part
  }

  const end = (): void => {
    if (failing !== undefined) notify({ level: 'info', message: 'event delivery has recovered', details: {} })
    failing = undefined
    failures = 0
  }

  return {
    ofStore: ({ cause }) => fail('store', 'the log of events is unavailable', String(cause)),
    ofDelivery: (reason, isPartial) => {
      if (isPartial) failures = 0
      fail('delivery', 'events cannot be delivered', reason)
    },
    storeResponds: () => {
      if (failing === 'store') end()
    },
    end,
    failures: () => failures,
  }
}

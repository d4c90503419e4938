// Reports that the relay cannot work, once per outage, and that it works again.
import type { Unavailable } from '../../domain/errors.js'
import type { Notify } from '../../ports/notice.js'

export const makeOutageReport = (notify: Notify) => {
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
    ofStore: ({ cause }: Unavailable): void => fail('store', 'the log of events is unavailable', String(cause)),
    /** Events could not be sent; some may have been. */
    ofDelivery: (reason: string, isPartial: boolean): void => {
      if (isPartial) failures = 0
      fail('delivery', 'events cannot be delivered', reason)
    },
    /** Ends an outage of the store. */
    storeResponds: (): void => {
      if (failing === 'store') end()
    },
    end,
    /** Consecutive failures, for the back-off. */
    failures: () => failures,
  }
}

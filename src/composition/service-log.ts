// The log of a service: any logger of this shape, such as that of the command line.

import type { Log } from '../adapters/pino/log.js'
import type { Notify } from '../ports/notice.js'
import type { Observer } from '../ports/observer.js'

/** The version of this package. Not read from package.json, which bundles lack; a test compares the two. */
export const VERSION = '1.0.0'

export type ServiceLog = Pick<Log, 'info' | 'warn' | 'error' | 'request'>

const ignore = (): void => {}

export const silentLog: ServiceLog = { info: ignore, warn: ignore, error: ignore, request: ignore }

/** Writes errors to stderr, so that none is lost without a log or an observer. */
export const failuresOnly: ServiceLog = { ...silentLog, error: (details, message) => console.error(message, details) }

export const logNotify =
  (log: ServiceLog): Notify =>
  ({ level, message, details }) =>
    log[level === 'fatal' ? 'error' : level](details, message)

/** Logs one line per request, and one with the cause of each defect or outage. */
export const logObserver = (log: ServiceLog, ...others: readonly (Observer['responded'] | undefined)[]): Observer => ({
  responded: (report) => {
    for (const other of others) other?.(report)
    log.request(report)
  },
  failed: (cause, requestId) => {
    log.error({ requestId, err: cause }, 'failure')
  },
})

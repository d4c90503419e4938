// JSON lines on stdout; on a terminal, lines for people.
import { destination, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino'
import type { Answered, Observer } from '../adapters/http/observer.js'
import type { Config } from '../config/config.js'
import type { Notify } from '../ports/notice.js'

export type Log = Logger

/** What drivers hang on their errors beyond this may hold documents, commands and settings of connections. */
const errorView = (cause: unknown): unknown => {
  if (!(cause instanceof Error)) return cause
  const { type, message, stack } = stdSerializers.err(cause)
  return { type, message, stack }
}

export const makeLog = async (level: Config['logLevel']): Promise<Log> => {
  const options = { level, base: null, timestamp: stdTimeFunctions.isoTime }
  if (!process.stdout.isTTY) return pino(options, destination({ dest: 1, sync: false }))
  const { default: pretty } = await import('pino-pretty')
  return pino(options, pretty({ ignore: 'pid,hostname', sync: true }))
}

export const logNotify =
  (log: Log): Notify =>
  ({ level, message, details }) =>
    log[level](details, message)

/** One line a request, and one for each answer of 5xx with its reason. */
export const logObserver = (log: Log, answered: (answer: Answered) => void): Observer => ({
  answered: (answer) => {
    answered(answer)
    const { requestId, method, route, status, milliseconds, keyId, traceId } = answer
    const ms = Math.round(milliseconds * 100) / 100
    log.info({ requestId, method, route, status, keyId, traceId, ms }, 'request')
  },
  failed: (cause, requestId) => {
    log.error({ requestId, err: errorView(cause) }, 'failure')
  },
})

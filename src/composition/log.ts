// JSON lines on stdout; on a terminal, lines for people.
import { destination, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino'
import type { Answered, Observer } from '../adapters/http/observer.js'
import type { Config } from '../config/config.js'
import type { Notify } from '../ports/notice.js'
import { requestLine, shownMs } from './request-line.js'

export interface Log extends Logger {
  /** Writes one line for a request. */
  readonly request: (answer: Answered) => void
}

/** Takes whole lines, each with its line feed. */
export interface LineStream {
  readonly write: (lines: string) => unknown
}

/** Whatever else drivers attach to their errors may hold documents, commands and connection settings. */
const errorView = (cause: unknown): unknown => {
  if (!(cause instanceof Error)) return cause
  const { type, message, stack } = stdSerializers.err(cause)
  return { type, message, stack }
}

const options = (level: Config['logLevel']) => ({ level, base: null, timestamp: stdTimeFunctions.isoTime })

/**
 * A log of JSON lines. The lines of the requests that were answered in one turn of the event loop are written together: pino's
 * own way takes 12 µs for such a line, this one less than 2.
 */
export const jsonLog = (level: Config['logLevel'], stream: LineStream): Log => {
  const logger = pino(options(level), stream)
  let lines = ''
  const flush = (): void => {
    const text = lines
    lines = ''
    stream.write(text)
  }
  const request = (answer: Answered): void => {
    if (lines === '') setImmediate(flush)
    lines += requestLine(answer, Date.now())
  }
  return Object.assign(logger, { request: logger.isLevelEnabled('info') ? request : () => {} })
}

const prettyLog = async (level: Config['logLevel']): Promise<Log> => {
  const { default: pretty } = await import('pino-pretty')
  const logger = pino(options(level), pretty({ ignore: 'pid,hostname', sync: true }))
  const request = ({ milliseconds, ...answer }: Answered): void =>
    logger.info({ ...answer, ms: shownMs(milliseconds) }, 'request')
  return Object.assign(logger, { request })
}

export const makeLog = async (level: Config['logLevel']): Promise<Log> =>
  process.stdout.isTTY ? prettyLog(level) : jsonLog(level, destination({ dest: 1, sync: false }))

export const logNotify =
  (log: Log): Notify =>
  ({ level, message, details }) =>
    log[level](details, message)

/** One line per request, and one with the cause of each defect or outage. */
export const logObserver = (log: Log, answered: (answer: Answered) => void): Observer => ({
  answered: (answer) => {
    answered(answer)
    log.request(answer)
  },
  failed: (cause, requestId) => {
    log.error({ requestId, err: errorView(cause) }, 'failure')
  },
})

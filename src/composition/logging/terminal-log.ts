// The log on a terminal: one readable line per request.
import { type Logger, pino } from 'pino'
import type { RequestReport } from '../../adapters/http/observer.js'
import type { Config } from '../../config/config.js'
import { serializers } from './error-view.js'
import { shownPath } from './shown-path.js'

const requestText = ({
  method,
  path,
  status,
  code,
  invalidKeyReason,
  invalidKeyId,
  bytes,
  milliseconds,
  events,
  requestId,
}: RequestReport): string =>
  [
    method,
    shownPath(path),
    status,
    ...(code === undefined ? [] : [code]),
    ...(invalidKeyReason === undefined
      ? []
      : [`(${[invalidKeyReason, invalidKeyId].filter((word) => word !== undefined).join(' ')})`]),
    `${bytes} B`,
    ...(events === undefined ? [] : [`${events} events`]),
    ...(milliseconds === undefined ? [] : [`${milliseconds.toFixed(1)} ms`]),
    requestId,
  ].join(' ')

interface TerminalLog extends Logger {
  readonly request: (report: RequestReport) => void
}

/** Writes to stdout, or to `stream`. */
export const terminalLog = async (level: Config['logLevel'], stream?: NodeJS.WritableStream): Promise<TerminalLog> => {
  const { default: pretty } = await import('pino-pretty')
  const format = { sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss.l', messageFormat: '{msg}' }
  const logger = pino(
    { level, base: null, serializers },
    pretty(stream === undefined ? format : { ...format, destination: stream, colorize: false }),
  )
  const request = (report: RequestReport): void => {
    logger[report.isProbe ? 'debug' : 'info'](requestText(report))
  }
  return Object.assign(logger, { request })
}

// The log on a terminal, for people: one line per request.
import { pino } from 'pino'
import type { Answered } from '../adapters/http/observer.js'
import type { Log, LogSettings } from './log.js'
import { isProbe } from './request-line.js'
import { shownPath } from './shown-path.js'

const requestText = ({ method, path, status, code, bytes, milliseconds }: Answered): string =>
  [
    method,
    shownPath(path),
    status,
    ...(code === undefined ? [] : [code]),
    `${bytes} B`,
    `${milliseconds.toFixed(1)} ms`,
  ].join(' ')

/** Writes to stdout, or to `stream`. */
export const terminalLog = async ({ logLevel }: LogSettings, stream?: NodeJS.WritableStream): Promise<Log> => {
  const { default: pretty } = await import('pino-pretty')
  const format = { sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss.l', messageFormat: '{msg}' }
  const logger = pino(
    { level: logLevel, base: null },
    pretty(stream === undefined ? format : { ...format, destination: stream, colorize: false }),
  )
  const request = (answer: Answered): void => {
    logger[isProbe(answer.route) ? 'debug' : 'info'](requestText(answer))
  }
  return Object.assign(logger, { request })
}

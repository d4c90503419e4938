// The log as readable lines for a terminal, by pino.
import { type LevelWithSilent, pino, stdSerializers } from 'pino'
import type { RequestReport } from '../../ports/observer.js'
import { serializersOf, shownPath } from './json-log.js'
import type { Log } from './log.js'

const requestText = (report: RequestReport): string => {
  const { code, invalidKeyReason, invalidKeyId, events, milliseconds } = report
  const reason = [invalidKeyReason, invalidKeyId].filter((word) => word !== undefined).join(' ')
  const words = [
    report.method,
    shownPath(report.path),
    report.status,
    code,
    invalidKeyReason && `(${reason})`,
    `${report.bytes} B`,
    events === undefined ? undefined : `${events} events`,
    milliseconds === undefined ? undefined : `${milliseconds.toFixed(1)} ms`,
    report.requestId,
  ]
  return words.filter((word) => word !== undefined).join(' ')
}

/** Writes readable lines to stdout, or to `stream`. */
export const makeTerminalLog = async (
  level: LevelWithSilent,
  { hasColors, stream }: { readonly hasColors: boolean; readonly stream?: NodeJS.WritableStream },
): Promise<Log> => {
  const { default: pretty } = await import('pino-pretty')
  const format = {
    sync: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    messageFormat: '{msg}',
    colorize: hasColors,
  }
  const logger = pino(
    { level, base: null, serializers: serializersOf({ stdSerializers }) },
    pretty(stream === undefined ? format : { ...format, destination: stream }),
  )
  const request = (report: RequestReport): void => {
    logger[report.isProbe ? 'debug' : 'info'](requestText(report))
  }
  return Object.assign(logger, { request })
}

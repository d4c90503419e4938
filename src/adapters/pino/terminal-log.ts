// The log as readable lines for a terminal: the JSON lines, formatted by pino-pretty.
import type { LevelWithSilent } from 'pino'
import { visible } from '../../domain/visible.js'
import { makeJsonLog } from './json-log.js'
import type { Log } from './log.js'

/** A line of the log without control characters in its texts; only stacks have several lines. */
const visibleLine = (line: string): string => {
  const show = (name: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value
    return name === 'stack' ? value.split('\n').map(visible).join('\n') : visible(value)
  }
  return `${JSON.stringify(JSON.parse(line, show))}\n`
}

/** Writes readable lines to stdout, or to `stream`. */
export const makeTerminalLog = async (
  level: LevelWithSilent,
  { hasColors, stream }: { readonly hasColors: boolean; readonly stream?: NodeJS.WritableStream },
): Promise<Log> => {
  const { default: pretty } = await import('pino-pretty')
  const lines = pretty({
    sync: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    colorize: hasColors,
    ignore: 'method,route,path,status,code',
    messageFormat: '{msg}{if method} {method} {path} {status}{end}{if code} {code}{end}',
    ...(stream !== undefined && { destination: stream }),
  })
  return makeJsonLog({ level, base: {}, hasPath: true }, { write: (line) => lines.write(visibleLine(line)) })
}

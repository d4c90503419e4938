// The log of the service: JSON lines on stdout, or readable lines on a terminal.
import { bufferedStdout, type LineStream } from '../adapters/pino/buffered-stdout.js'
import { type Log, makeJsonLog, makeTerminalLog } from '../adapters/pino/log.js'
import type { Config } from '../config/config.js'
import { VERSION } from './service-log.js'
import { takesEscapes } from './terminal.js'

/** A log of JSON lines, each with the name and version of this package. */
export const jsonLog = (level: Config['logLevel'], stream: LineStream, successesOneIn = 1): Log =>
  makeJsonLog({ level, base: { service: 'animal-store', version: VERSION }, successesOneIn }, stream)

export const makeLog = async ({
  logLevel,
  logSuccessesOneIn,
}: Pick<Config, 'logLevel' | 'logSuccessesOneIn'>): Promise<Log> =>
  process.stdout.isTTY
    ? makeTerminalLog(logLevel, { hasColors: takesEscapes(process.stdout) })
    : jsonLog(logLevel, bufferedStdout(), logSuccessesOneIn)

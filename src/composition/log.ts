// The log of the service: JSON lines on stdout, or readable lines on a terminal.
import { bufferedStdout } from '../adapters/pino/buffered-stdout.js'
import type { Log } from '../adapters/pino/json-log.js'
import { makeTerminalLog } from '../adapters/pino/terminal-log.js'
import type { Config } from '../config/config.js'
import { loadJsonLog } from './json-log.js'
import { takesEscapes } from './terminal.js'

export const makeLog = async ({
  logLevel,
  logSuccessesOneIn,
}: Pick<Config, 'logLevel' | 'logSuccessesOneIn'>): Promise<Log> =>
  process.stdout.isTTY
    ? makeTerminalLog(logLevel, { hasColors: takesEscapes(process.stdout) })
    : loadJsonLog(logLevel, bufferedStdout(), logSuccessesOneIn)

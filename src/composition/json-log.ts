// The JSON log of the service. Separate from service-log.ts, so that bundles of the fetch handler do not include pino.
import { makeJsonLog } from '../adapters/pino/json-log.js'
import type { LineStream, Log } from '../adapters/pino/log.js'
import type { Config } from '../config/config.js'
import { VERSION } from './service-log.js'

/** A log of JSON lines, each with the name and version of this package. Rejects if pino is not installed. */
export const loadJsonLog = (level: Config['logLevel'], stream: LineStream): Promise<Log> =>
  makeJsonLog({ level, base: { service: 'animal-store', version: VERSION } }, stream)

// The JSON log of the service. Apart from service-log.ts, so that a bundle of the fetch handler leaves pino out.
import { makeJsonLog } from '../adapters/pino/json-log.js'
import type { LineStream, Log } from '../adapters/pino/log.js'
import type { Config } from '../config/config.js'
import { VERSION } from './service-log.js'

/** A log of JSON lines like that of the command line, each with the name and version of this package. Rejects without pino. */
export const loadJsonLog = (level: Config['logLevel'], stream: LineStream): Promise<Log> =>
  makeJsonLog({ level, base: { service: 'animal-store', version: VERSION } }, stream)

// What needs a package that an embedder may leave out, loaded when it is asked for. Rejects without that package.
import type { LineStream } from '../adapters/pino/buffered-stdout.js'
import type { Log } from '../adapters/pino/log.js'
import type { Metrics, MetricsSettings } from '../adapters/prometheus/metrics.js'
import type { Config } from '../config/config.js'

/** The metrics of a service; needs prom-client. */
export const loadMetrics = async (settings?: MetricsSettings): Promise<Metrics> =>
  (await import('../adapters/prometheus/metrics.js')).makeMetrics(settings)

/** A log of JSON lines like that of the command line; needs pino. */
export const loadJsonLog = async (level: Config['logLevel'], stream: LineStream): Promise<Log> =>
  (await import('./log.js')).jsonLog(level, stream)

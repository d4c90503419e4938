// Loads prom-client when metrics are wanted: an embedder may leave it out, and it takes 10 % of a start.
import type { PromClient } from './catalogue.js'
import { type Metrics, type MetricsSettings, makeMetrics } from './metrics.js'

/** Bundlers leave an import out that they cannot resolve only if it is in a `try`. */
const loadPromClient = async (): Promise<PromClient> => {
  try {
    return await import('prom-client')
  } catch (cause) {
    throw new Error('metrics need the package prom-client: npm install prom-client', { cause })
  }
}

/** The metrics of a service. Rejects without prom-client. */
export const loadMetrics = async (settings?: MetricsSettings): Promise<Metrics> =>
  makeMetrics(await loadPromClient(), settings)

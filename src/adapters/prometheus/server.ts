// Serves /metrics on a separate, private port.
import { createServer, type Server } from 'node:http'
import type { Metrics } from './metrics.js'

/**
 * Serves `/metrics`. The caller makes it listen.
 *
 * @since 1.0.0 @category Metrics
 * @example
 * makeMetricsServer(makeMetrics({ isServed: false })).listening // => false
 */
export const makeMetricsServer = (metrics: Metrics): Server =>
  createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    metrics.render().then(
      ({ text, contentType }) => response.writeHead(200, { 'Content-Type': contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })

// Serves `/metrics` to Prometheus.
import { createServer, type Server } from 'node:http'
import type { Metrics } from './metrics.js'

/** On a port of its own. The caller makes it listen. */
export const makeMetricsServer = (metrics: Pick<Metrics, 'render'>): Server =>
  createServer((request, response) => {
    response.setHeader('X-Content-Type-Options', 'nosniff')
    if (request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end()
      return
    }
    metrics.render().then(
      ({ text, contentType }) => response.writeHead(200, { 'Content-Type': contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })

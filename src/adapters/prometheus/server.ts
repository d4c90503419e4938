// Serves /metrics on a port of its own, which is not for the public.
import { createServer, type Server } from 'node:http'
import type { Metrics } from './metrics.js'

/** A server that does not listen yet. */
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

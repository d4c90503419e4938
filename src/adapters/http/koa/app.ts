// The Koa app: the routes, and an answer for what none of them matches. It does not listen.
import Router from '@koa/router'
import Koa from 'koa'
import { withCors } from '../cors.js'
import { errorReply } from '../error-reply.js'
import { koaEndpoint } from './koa-endpoint.js'
import type { Endpoint } from '../messages/reply.js'
import { pathEndpoints, type UseCases } from '../routes.js'
import type { AppSettings } from '../settings.js'

const EVERY_METHOD = 'GET, HEAD, POST, OPTIONS'

/** No route: 404; but `OPTIONS *` asks for the server as a whole (RFC 9110 §9.3.7). */
const unmatched: Endpoint = async (request) =>
  request.method === 'OPTIONS' && request.path === '*'
    ? { status: 204, headers: [['Allow', EVERY_METHOD]] }
    : errorReply({ _tag: 'RouteNotFound' }, request.id)

export const makeApp = (useCases: UseCases, settings: AppSettings): Koa => {
  const app = new Koa()
  const serve = koaEndpoint(settings)
  // strict and sensitive, for `/PETS` and `/pets/` are other paths than `/pets`
  const router = new Router({ strict: true, sensitive: true })
  for (const [path, endpoint] of pathEndpoints(useCases, settings)) {
    router.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), serve(path, withCors(settings.corsOrigins, endpoint)))
  }
  app.use(router.routes())
  app.use(serve('unmatched', withCors(settings.corsOrigins, unmatched)))
  // what still reaches Koa itself is an error of a connection; that its client has gone is no failure
  app.on('error', (error: unknown, context?: Koa.Context) => {
    if (context?.req.socket.destroyed !== true) settings.observer.failed(error, 'none')
  })
  return app
}

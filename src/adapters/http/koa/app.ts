// The Koa app: one middleware, the only code that touches Koa's context. It does not listen.
import * as O from 'fp-ts/lib/Option.js'
import Koa, { type Context } from 'koa'
import { makeAnswering } from '../answer.js'
import { baseUrlOf, isForwardedFromTls } from '../messages/base-url.js'
import { headersOf, headerValues } from '../messages/headers.js'
import type { Reply } from '../messages/reply.js'
import type { HttpRequest } from '../messages/request.js'
import { requestIdOf, traceIdOf } from '../messages/request-id.js'
import { byPath } from '../path-routes.js'
import { routeTable, type UseCases } from '../routes.js'
import type { AppSettings } from '../settings.js'
import { makeReadBody } from './read-body.js'
import { makeRouter } from './router.js'

const write = ({ req, res }: Context, reply: Reply, requestId: string): void => {
  res.writeHead(reply.status, headersOf(reply, requestId))
  res.end(req.method === 'HEAD' ? undefined : reply.body)
}

export const makeApp = (useCases: UseCases, settings: AppSettings): Koa => {
  const { publicUrl, observer, notify } = settings
  const find = makeRouter(byPath(routeTable(useCases, settings)))
  const begin = makeAnswering(useCases.authenticate, settings)
  const readBody = makeReadBody(settings.maxBodyBytes)
  let hasWarned = publicUrl !== undefined

  const warnOfTls = ({ req }: Context): void => {
    if (hasWarned || !isForwardedFromTls(req)) return
    hasWarned = true
    const message = 'requests come through a TLS proxy, but Link and Location say http: set PUBLIC_URL'
    notify({ level: 'warn', message, details: { setting: 'PUBLIC_URL' } })
  }

  const app = new Koa()
  app.use(async (context) => {
    const start = performance.now()
    const { req, res } = context
    // this middleware writes the response itself
    context.respond = false
    warnOfTls(context)
    const match = find(context.path)
    const request: HttpRequest = {
      method: context.method,
      path: context.path,
      params: match?.params ?? {},
      query: context.querystring,
      header: (name) => headerValues(req, name),
      baseUrl: publicUrl ?? baseUrlOf(req),
      clientAddress: req.socket.remoteAddress ?? '',
      id: requestIdOf(req.headers['x-request-id']?.toString()),
    }
    let step = await begin(match?.target, request)
    while (step._tag === 'BodyWanted') step = await step.resume(await readBody(context))
    const { reply, keyId, cause } = step.answer
    if (O.isSome(cause)) observer.failed(cause.value, request.id)
    // the rest of the request was malformed or late, and has been refused meanwhile
    if (res.headersSent) return
    write(context, reply, request.id)
    observer.answered({
      requestId: request.id,
      method: request.method,
      route: match?.target.path ?? 'unmatched',
      status: reply.status,
      milliseconds: performance.now() - start,
      keyId,
      traceId: traceIdOf(req.headers['traceparent']?.toString()),
    })
  })
  // only connection errors still reach Koa; a client that has gone is not a failure
  app.on('error', (error: unknown, context?: Koa.Context) => {
    if (context?.req.socket.destroyed !== true) observer.failed(error, 'none')
  })
  return app
}

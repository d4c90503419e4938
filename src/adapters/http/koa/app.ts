// The one handler of all requests, in the place of a chain of middleware: the only code that touches Koa's context.
import { setMaxListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as O from 'fp-ts/lib/Option.js'
import Koa, { type Context } from 'koa'
import { makeAnswering } from '../answer.js'
import { answeredOf } from '../answered.js'
import { baseUrlOf, forwardedAddress, makeTlsWarning } from '../messages/addresses.js'
import { type HttpRequest, headerValues } from '../messages/message.js'
import { requestIdOf, traceIdOf } from '../messages/request-headers.js'
import { requestsWaiting, shareOf } from '../messages/turns.js'
import { writeReply, writeStream } from '../messages/write-response.js'
import { byPath } from '../path-routes.js'
import { routeTable, type UseCases } from '../routes.js'
import type { AppSettings } from '../settings.js'
import { makeReadBody } from './read-body.js'
import { makeRouter } from './router.js'

/** A listener for Node's server. */
export type App = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** RFC 9110 §10.1.1: there is one expectation, and in HTTP/1.0 any is ignored. */
const isExpectationMet = ({ httpVersion, headers: { expect } }: IncomingMessage): boolean =>
  expect === undefined || httpVersion === '1.0' || expect.toLowerCase() === '100-continue'

/** Bytes of unread responses, of all connections together, beyond which requests are refused. */
const MAX_UNREAD_BYTES = 16_777_216

export const makeApp = (useCases: UseCases, settings: AppSettings): App => {
  const { publicUrl, trustedProxies, maxInFlight, observer, stopping } = settings
  const find = makeRouter(byPath(routeTable(useCases, settings)))
  const answer = makeAnswering(useCases.authenticate, settings, shareOf)
  const readBody = makeReadBody(settings.maxBodyBytes)
  // one for each stream whose client is slow
  setMaxListeners(0, stopping)
  const warnOfTls = makeTlsWarning(settings)

  /** Of all responses that are not with their sockets yet. */
  const load = { requests: 0, bytes: 0 }

  const respond = async (context: Context): Promise<void> => {
    const start = performance.now()
    const { req, res } = context
    warnOfTls(req)
    let unreadBytes = 0
    const match = find(context.path)
    // a probe takes no place from others
    let places = match?.target.isProbe === true ? 0 : 1
    load.requests += places
    const isSurplus = load.requests > maxInFlight || requestsWaiting() > maxInFlight
    const leave = (): void => {
      load.requests -= places
      load.bytes -= unreadBytes
      places = unreadBytes = 0
    }
    res.once('close', leave)
    const forwarded = forwardedAddress(req, trustedProxies)
    const request: HttpRequest = {
      method: context.method,
      path: context.path,
      params: match?.params ?? {},
      query: context.querystring,
      header: (name) => headerValues(req, name),
      baseUrl: publicUrl ?? baseUrlOf(req),
      clientAddress: forwarded ?? req.socket.remoteAddress ?? '',
      id: requestIdOf(req.headers['x-request-id']?.toString()),
      isExpectationMet: isExpectationMet(req),
      isSurplus: () => isSurplus || load.bytes > MAX_UNREAD_BYTES,
      body: () => readBody(context),
    }
    const result = await answer(match?.target, request)
    const { reply, cause } = result
    if (O.isSome(cause)) observer.failed(cause.value, request.id)
    // the rest of the request was malformed or late, so it was refused meanwhile
    if (res.headersSent) {
      reply.stream?.close()
      return
    }
    let bytes = 0
    if (reply.stream !== undefined) {
      // not load: open streams have a bound of their own
      leave()
      bytes = await writeStream(res, reply, reply.stream, { requestId: request.id, stopping })
    } else if (!res.destroyed) {
      bytes = writeReply(req, res, reply, request.id)
      // files are shared by all responses
      if (typeof reply.body === 'string') load.bytes += unreadBytes = bytes
    }
    const traceId = traceIdOf(req.headers['traceparent']?.toString())
    const sent = {
      bytes,
      events: reply.stream?.events(),
      milliseconds: performance.now() - start,
      clientAddress: forwarded,
      traceId,
    }
    observer.responded(answeredOf(request, match?.target, result, sent))
  }

  const app = new Koa()
  // not Koa's own callback, which watches each response in order to write it and takes 6 µs per request; we write it above
  return async (request, response) => {
    try {
      await respond(app.createContext(request, response))
    } catch (cause) {
      // a defect here or in the observer: if there is no reply, the client must not wait for one
      if (!response.headersSent) response.destroy()
      observer.failed(cause, '')
    }
  }
}

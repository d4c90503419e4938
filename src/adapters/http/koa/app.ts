// The service as a listener for Node's server: one handler, instead of a chain of middleware. The only code that knows Koa.

import { setMaxListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import Router from '@koa/router'
import * as E from 'fp-ts/lib/Either.js'
import Koa, { type Middleware } from 'koa'
import { memberOf } from '../../../domain/thrown.js'
import { baseUrlOf, targetOf } from '../messages/addresses.js'
import { isExpectationMet } from '../messages/framing.js'
import { headerValues } from '../messages/message.js'
import { requestsWaiting, shareOf } from '../messages/turns.js'
import { writeReply, writeStream } from '../messages/write-response.js'
import { type Body, INCOMPLETE, makeRespond } from '../respond.js'
import { exactFirst, type FindRoutes, type PathRoutes, patternOf } from '../route.js'
import { routeTable, type UseCases } from '../routes.js'
import type { AppSettings } from '../settings.js'

/** A listener for Node's server. */
export type App = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** A request under way, and its part of the load. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Whether there were too many requests when it arrived. */
  isSurplus: boolean
  /** 1, or 0 for a probe, which takes no place from others. */
  places: number
  unreadBytes: number
}

/** Bytes of unread responses, of all connections together, beyond which requests are refused. */
const MAX_UNREAD_BYTES = 16_777_216

const routerOf = (paths: readonly PathRoutes[]): FindRoutes => {
  // strict and sensitive: `/PETS` and `/pets/` are not `/pets`
  const router = new Router({ strict: true, sensitive: true })
  for (const target of paths) router.all(patternOf(target), () => {})
  const routes = paths.map((target, at) => ({ target, layer: router.stack[at] }))
  // not its `match`, which also collects what to call
  return (path) => {
    for (const { target, layer } of routes)
      if (layer?.match(path) === true) return { target, params: layer.params(path, layer.captures(path)) }
    return undefined
  }
}

/** Loads the parser this long after startup: earlier would add 10 % to it. */
const LOAD_AFTER_MS = 500

const bytesOf = (body: unknown): Uint8Array => (body instanceof Uint8Array ? body : new Uint8Array())

/** The body of a request as bytes, within its limit: what has arrived already, or else read by koa-bodyparser. */
const makeReadBody = (app: Koa, maxBytes: number): ((exchange: Exchange) => Promise<Body>) => {
  let parser: Promise<Middleware> | undefined
  const load = (): Promise<Middleware> => {
    // without an encoding, the text is its bytes; its types lack this documented option
    const options: object = {
      enableTypes: ['text'],
      extendTypes: { text: ['application/json'] },
      textLimit: String(maxBytes),
      encoding: '',
    }
    parser ??= import('koa-bodyparser').then(({ default: bodyParser }) => bodyParser(options))
    return parser
  }
  // a failure is that of each body that needs it; unhandled before the first one, it would end the process
  setTimeout(() => void load().catch(() => {}), LOAD_AFTER_MS).unref()
  const tooLarge: Body = E.left({ _tag: 'PayloadTooLarge', maxBytes })

  return async ({ request: req, response: res }) => {
    // refused already, or the client is gone
    if (req.destroyed || res.headersSent) return INCOMPLETE
    // checked here, because the parser reads the length as 32 bits
    if (Number(req.headers['content-length'] ?? 0) > maxBytes) {
      res.shouldKeepAlive = false
      return tooLarge
    }
    // HTTP/1.0 has no interim responses
    if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue()
    // most bodies arrive with their headers, and the way through the parser would take 20 µs
    if (!req.complete) {
      req.read(0)
      await new Promise<void>((resolve) => process.nextTick(resolve))
    }
    if (req.complete) {
      const bytes = bytesOf(req.read())
      return bytes.length > maxBytes ? tooLarge : E.right(bytes)
    }
    // it is `identity` in any case, but the parser knows only one; rawHeaders keeps the headers as sent
    delete req.headers['content-encoding']
    const context = app.createContext(req, res)
    try {
      await (await load())(context, async () => {})
      return E.right(bytesOf(context.request.rawBody))
    } catch (cause) {
      const status = memberOf(cause, 'status')
      if (status === 413) return tooLarge
      return status === 400 ? INCOMPLETE : E.left({ _tag: 'Defect', cause })
    }
  }
}

export const makeApp = (useCases: UseCases, settings: AppSettings): App => {
  const { maxBodyBytes, maxInFlight, publicUrl, stopping } = settings
  const find = exactFirst(routeTable(useCases, settings), routerOf)
  const app = new Koa()
  // one for each stream whose client is slow
  setMaxListeners(0, stopping)

  /** Of all responses that are not with their sockets yet. */
  const load = { requests: 0, bytes: 0 }

  const leave = (exchange: Exchange): void => {
    load.requests -= exchange.places
    load.bytes -= exchange.unreadBytes
    exchange.places = exchange.unreadBytes = 0
  }

  const respond = makeRespond<Exchange>(useCases, settings, {
    receive: (exchange) => {
      const { request, response } = exchange
      const [path, query] = targetOf(request.url ?? '')
      const match = find(path)
      load.requests += exchange.places = match?.target.isProbe === true ? 0 : 1
      exchange.isSurplus = load.requests > maxInFlight || requestsWaiting() > maxInFlight
      response.on('close', () => leave(exchange))
      return {
        method: request.method ?? '',
        path,
        query,
        match,
        headers: request.headers,
        header: (name) => headerValues(request, name),
        baseUrl: publicUrl ?? baseUrlOf(request),
        peerAddress: request.socket.remoteAddress ?? '',
        isExpectationMet: isExpectationMet(request),
      }
    },
    isSurplus: ({ isSurplus }) => isSurplus || load.bytes > MAX_UNREAD_BYTES,
    shareOf,
    readBody: makeReadBody(app, maxBodyBytes),
    send: (exchange, reply, requestId) => {
      const { request: req, response: res } = exchange
      // the rest of the request was malformed or late, so it was refused meanwhile
      if (res.headersSent) {
        reply.stream?.close()
        return undefined
      }
      if (reply.stream !== undefined) {
        // not load: open streams have a bound of their own
        leave(exchange)
        return writeStream(res, reply, reply.stream, { requestId, stopping })
      }
      if (res.destroyed) return 0
      const bytes = writeReply(req, res, reply, requestId)
      // files are shared by all responses
      if (typeof reply.body === 'string') load.bytes += exchange.unreadBytes = bytes
      return bytes
    },
    abandon: ({ response }) => {
      if (!response.headersSent) response.destroy()
    },
  })

  // not Koa's own callback, which watches each response in order to write it and takes 6 µs per request
  return (request, response) => respond({ request, response, isSurplus: false, places: 0, unreadBytes: 0 })
}

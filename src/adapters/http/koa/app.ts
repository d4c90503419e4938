// The service as a Koa middleware: translates between Koa's context and plain values. Our server runs an app with only that.
import { setMaxListeners } from 'node:events'
import Router from '@koa/router'
import Koa from 'koa'
import { type FindCaller, findNobody } from '../access/caller.js'
import { checkedSettings } from '../checked-settings.js'
import { type Handled, type Load, makeHandle, NO_LOAD } from '../handle.js'
import { baseUrlOf, isExpectationMet, targetOf } from '../messages/head.js'
import { headersOf, headerValues, isStream } from '../messages/message.js'
import { exactFirst, type FindRoutes, type PathRoutes, type PublicRoute, patternOf, type Route } from '../route.js'
import { routeTable, type UseCases } from '../routes.js'
import type { Listener } from '../server/make-server.js'
import type { AppSettings } from '../settings.js'
import { type BodyContext, makeReadBody } from './read-body.js'
import { makeResponseWriter, type WriteResponse, writeStream } from './write-response.js'

/** The part of Koa's context that we use. */
export interface KoaContext extends BodyContext {
  readonly originalUrl: string
  readonly url: string
  readonly path: string
  readonly protocol: string
  readonly host: string
  readonly method: string
  status: number
  body: unknown
  /** Whether Koa writes the response. */
  respond?: boolean | undefined
  readonly set: (name: string, value: string) => void
  readonly vary: (names: string) => void
}

/** A middleware for any Koa app. */
export type KoaMiddleware = (context: KoaContext, next: () => Promise<unknown>) => Promise<void>

const routerOf = (paths: readonly PathRoutes[]): FindRoutes => {
  // strict and sensitive: `/PETS` and `/pets/` are not `/pets`
  const router = new Router({ strict: true, sensitive: true })
  for (const target of paths) router.all(patternOf(target), () => {})
  const routes = paths.map((target, at) => ({ target, layer: router.stack[at] }))
  // not the router's own `match`, which also collects middleware
  return (path) => {
    for (const { target, layer } of routes)
      if (layer?.match(path) === true) return { target, params: layer.params(path, layer.captures(path)) }
    return undefined
  }
}

/** Hands a reply over, and returns the number of body bytes sent. */
type Answer = (context: KoaContext, handled: Handled) => ReturnType<WriteResponse>

interface Served {
  readonly authenticate: FindCaller
  readonly tableOf: (settings: AppSettings) => readonly Route[]
  readonly settings: AppSettings
  /** Whether other middleware serves other paths, and may change our replies. */
  readonly isMounted: boolean
}

/** Lets Koa send the reply, for outer middleware to change. Not streams: Koa would report each client that leaves. */
const answerByKoa =
  (stopping: AbortSignal): Answer =>
  (context, { reply, requestId }) => {
    const { status, body } = reply
    const bytes = body === undefined || isStream(body) ? 0 : Buffer.byteLength(body)
    const lines = headersOf(reply, requestId, bytes)
    context.status = status
    for (let at = 0; at < lines.length; at += 2) {
      const [name = '', value = ''] = lines.slice(at, at + 2)
      if (name === 'Vary') context.vary(value)
      else context.set(name, value)
    }
    if (isStream(body)) {
      context.respond = false
      return writeStream(context.res, body, stopping)
    }
    if (body !== undefined) context.body = Buffer.from(body)
    return context.method === 'HEAD' || context.res.destroyed ? 0 : bytes
  }

/** Writes the reply to Node's response in a batch, which Koa documents `respond` for: its own way takes 10 µs more. */
const answerInBatches = (load: Load, stopping: AbortSignal): Answer => {
  const write = makeResponseWriter(load, stopping)
  return (context, { reply, requestId }) => {
    context.respond = false
    return write(context.req, context.res, reply, requestId)
  }
}

const middlewareOf = ({ authenticate, tableOf, settings, isMounted }: Served): KoaMiddleware => {
  const { maxBodyBytes, observer, publicUrl, stopping } = settings
  const load: Load = { ...NO_LOAD }
  const find = exactFirst(tableOf(settings), routerOf)
  const readBody = makeReadBody(maxBodyBytes)
  const handle = makeHandle(authenticate, settings, find, load)
  const answer = isMounted ? answerByKoa(stopping) : answerInBatches(load, stopping)
  // each slow stream adds a listener
  setMaxListeners(0, stopping)

  return async (context, next) => {
    if (isMounted && find(context.path) === undefined) {
      await next()
      return
    }
    const { req, res, originalUrl, url } = context
    // the mount path; empty if outer middleware has rewritten the path
    const prefix = isMounted && originalUrl.endsWith(url) ? originalUrl.slice(0, -url.length) : ''
    const ownUrl = isMounted ? `${context.protocol}://${context.host}${prefix}/v1` : baseUrlOf(req)
    const [path, query] = targetOf(req.url ?? '')
    const handled = await handle({
      method: req.method ?? '',
      path,
      query,
      headers: req.headers,
      header: (name) => headerValues(req, name),
      baseUrl: publicUrl ?? ownUrl,
      peerAddress: req.socket.remoteAddress ?? '',
      prefix,
      isExpectationMet: isExpectationMet(req),
      body: () => readBody(context),
    })
    try {
      const bytes = answer(context, handled)
      handled.report(typeof bytes === 'object' ? await bytes : bytes)
    } catch (cause) {
      if (isMounted) throw cause
      // a defect after the reply has begun; the client must not wait for the rest
      if (!res.writableEnded) res.destroy()
      observer.failed(cause, handled.requestId)
    }
  }
}

/** The service for `app.use` of any Koa app. */
export const koaMiddleware = (useCases: UseCases, given: AppSettings): KoaMiddleware => {
  const settings = checkedSettings(given)
  const { authenticate } = useCases
  return middlewareOf({ authenticate, tableOf: (all) => routeTable(useCases, all), settings, isMounted: true })
}

/** The service as a Koa app. */
const listenerOf = (authenticate: FindCaller, tableOf: Served['tableOf'], given: AppSettings): Listener => {
  const settings = checkedSettings(given)
  const app = new Koa().use(middlewareOf({ authenticate, tableOf, settings, isMounted: false }))
  app.on('error', (cause: unknown, { req }: KoaContext) => {
    // otherwise Koa prints the error of every connection that a client resets
    if (!req.socket.destroyed) settings.observer.failed(cause, '')
  })
  return app.callback()
}

export const koaListener = (useCases: UseCases, settings: AppSettings): Listener =>
  listenerOf(useCases.authenticate, (all) => routeTable(useCases, all), settings)

/** For routes that need no key. */
export const publicListener = (routes: readonly PublicRoute[], settings: AppSettings): Listener =>
  listenerOf(findNobody, () => routes, settings)

// Translates between Koa's context and plain values, as a middleware for any Koa app and as the listener of our server.
import { setMaxListeners } from 'node:events'
import Router from '@koa/router'
import Koa from 'koa'
import { type FindCaller, findNobody } from '../access/caller.js'
import { checkedSettings } from '../checked-settings.js'
import { type Handle, type Handled, type Load, makeHandle, NO_LOAD } from '../handle.js'
import { baseUrlOf, isExpectationMet, targetOf } from '../messages/head.js'
import { headersOf, headerValues, isStream } from '../messages/message.js'
import { exactFirst, type FindRoutes, type PathRoutes, type PublicRoute, patternOf, type Route } from '../route.js'
import { routeTable, type UseCases } from '../routes.js'
import type { Listener } from '../server/make-server.js'
import type { AppSettings } from '../settings.js'
import { type BodyContext, makeReadBody } from './read-body.js'
import { makeResponseWriter, writeStream } from './write-response.js'

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

const core = (authenticate: FindCaller, tableOf: (settings: AppSettings) => readonly Route[], given: AppSettings) => {
  const settings = checkedSettings(given)
  const load: Load = { ...NO_LOAD }
  const find = exactFirst(tableOf(settings), routerOf)
  const readBody = makeReadBody(settings.maxBodyBytes)
  const handle = makeHandle(authenticate, settings, find, load)
  // each slow stream adds a listener
  setMaxListeners(0, settings.stopping)
  const handleContext = (context: BodyContext, baseUrl: string, prefix = ''): ReturnType<Handle> => {
    const { req } = context
    const [path, query] = targetOf(req.url ?? '')
    return handle({
      method: req.method ?? '',
      path,
      query,
      headers: req.headers,
      header: (name) => headerValues(req, name),
      baseUrl: settings.publicUrl ?? baseUrl,
      peerAddress: req.socket.remoteAddress ?? '',
      prefix,
      isExpectationMet: isExpectationMet(req),
      body: () => readBody(context),
    })
  }
  return { ...settings, load, find, handleContext }
}

/** Lets Koa send the reply, for outer middleware to change. Not streams: Koa would report each client that leaves. */
const giveToKoa = async (
  context: KoaContext,
  { reply, requestId, sent }: Handled,
  stopping: AbortSignal,
): Promise<void> => {
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
    sent(await writeStream(context.res, body, stopping))
    return
  }
  if (body !== undefined) context.body = Buffer.from(body)
  sent(context.method === 'HEAD' || context.res.destroyed ? 0 : bytes)
}

export const koaMiddleware = (useCases: UseCases, given: AppSettings): KoaMiddleware => {
  const { find, handleContext, stopping } = core(
    useCases.authenticate,
    (checked) => routeTable(useCases, checked),
    given,
  )
  return async (context, next) => {
    if (find(context.path) === undefined) {
      await next()
      return
    }
    const { originalUrl, url } = context
    // the mount path; empty if outer middleware has rewritten the path
    const prefix = originalUrl.endsWith(url) ? originalUrl.slice(0, -url.length) : ''
    const baseUrl = `${context.protocol}://${context.host}${prefix}/v1`
    await giveToKoa(context, await handleContext(context, baseUrl, prefix), stopping)
  }
}

/** Not Koa's own callback, which takes 11 µs per request (docs/adr/0007). */
const listenerOf = (...served: Parameters<typeof core>): Listener => {
  const { load, handleContext, observer, stopping } = core(...served)
  const write = makeResponseWriter(load, stopping)
  const app = new Koa()
  return async (request, response) => {
    let id = ''
    try {
      const { reply, requestId, sent } = await handleContext(app.createContext(request, response), baseUrlOf(request))
      id = requestId
      const bytes = write(request, response, reply, requestId)
      sent(typeof bytes === 'object' ? await bytes : bytes)
    } catch (cause) {
      // a defect after the reply has begun; the client must not wait for the rest
      if (!response.writableEnded) response.destroy()
      observer.failed(cause, id)
    }
  }
}

export const koaListener = (useCases: UseCases, given: AppSettings): Listener =>
  listenerOf(useCases.authenticate, (checked) => routeTable(useCases, checked), given)

/** For routes that need no key. */
export const publicListener = (routes: readonly PublicRoute[], settings: AppSettings): Listener =>
  listenerOf(findNobody, () => routes, settings)

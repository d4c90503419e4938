// The service as a Koa app.
import Router from '@koa/router'
import Koa from 'koa'
import { findNobody } from '../access/caller.js'
import { checkedSettings } from '../checked-settings.js'
import { exactFirst, type FindRoutes, type PathRoutes, type PublicRoute, patternOf } from '../route.js'
import { type HttpDependencies, routeTable } from '../routes.js'
import type { Listener } from '../server/make-server.js'
import type { AppSettings } from '../settings.js'
import { type KoaContext, type KoaMiddleware, middlewareOf } from './middleware.js'

/** Finds routes by the router that Koa apps have. */
export const routerOf = (paths: readonly PathRoutes[]): FindRoutes => {
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

const listenerOf = (middleware: KoaMiddleware, { observer }: AppSettings): Listener => {
  const app = new Koa().use(middleware)
  app.on('error', (cause: unknown, { req }: KoaContext) => {
    // otherwise Koa prints the error of every connection that a client resets
    if (!req.socket.destroyed) observer.failed(cause, '')
  })
  return app.callback()
}

export const koaListener = (useCases: HttpDependencies, given: AppSettings): Listener => {
  const settings = checkedSettings(given)
  const find = exactFirst(routeTable(useCases, settings), routerOf)
  return listenerOf(middlewareOf(useCases.authenticate, settings, find), settings)
}

/** For routes that need no key. */
export const publicListener = (routes: readonly PublicRoute[], given: AppSettings): Listener => {
  const settings = checkedSettings(given)
  return listenerOf(middlewareOf(findNobody, settings, exactFirst(routes, routerOf)), settings)
}

// The HTTP service as Koa middleware. Not beside the listener, so that the service runs without koa-bodyparser.
import type { KoaMiddleware } from '../adapters/http/koa/middleware.js'
import { koaMiddleware } from '../adapters/http/koa/mounted.js'
import type { AppSettings } from '../adapters/http/settings.js'
import { type ServicePorts, useCasesOf } from './use-cases.js'

/**
 * The whole HTTP service over these ports, for `app.use` of any Koa app, also at a prefix. Passes other paths on. Mount
 * it before any body parser. Throws if the ports belong to different storages.
 */
export const makeKoaMiddleware = (ports: ServicePorts, settings: AppSettings): KoaMiddleware =>
  koaMiddleware(useCasesOf(ports), settings)

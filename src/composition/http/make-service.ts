// The HTTP service over ports, as a listener for Node's server.
import { documentation } from '../../adapters/http/endpoints/documentation.js'
import { makeApp } from '../../adapters/http/koa/app.js'
import type { Listener } from '../../adapters/http/server/make-server.js'
import type { AppSettings } from '../../adapters/http/settings.js'
import { DEFAULT_HANDLER } from './make-fetch-handler.js'
import { type ServicePorts, useCasesOf } from './use-cases.js'

/** Defaults; responses are not reported, and causes of a 500 or 503 go to stderr. */
export const DEFAULT_SETTINGS: AppSettings = { ...DEFAULT_HANDLER, documentation }

/**
 * The whole HTTP service over these ports, as a listener for any Node server. It does not listen by itself, and several can
 * run in one process. An `Unavailable` of a port becomes a 503, and its cause goes to the observer.
 *
 * @example
 * const ports = { ...makeMemoryStore(), clock: systemClock, crypto: nodeCrypto }
 * const { server } = makeServer(makeService(ports, DEFAULT_SETTINGS), { ...DEFAULT_SETTINGS, requestTimeoutMs: 10_000 })
 * server.listening // => false
 */
export const makeService = (ports: ServicePorts, settings: AppSettings): Listener =>
  makeApp(useCasesOf(ports), settings)

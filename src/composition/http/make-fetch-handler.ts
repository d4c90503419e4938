// The HTTP service over ports, as a function from Request to Response. Loads neither Koa nor the packages of `/docs`.
import { makeFetchApp } from '../../adapters/http/fetch/app.js'
import type { FetchHandler, HandlerSettings } from '../../adapters/http/fetch/handler.js'
import { failuresOnly, logObserver } from '../service-log.js'
import { type ServicePorts, useCasesOf } from './use-cases.js'

/** Defaults; responses are not reported, causes of a 500 or 503 go to stderr, and the documentation is not served. */
export const DEFAULT_HANDLER: HandlerSettings = {
  maxBodyBytes: 1_048_576,
  publicUrl: undefined,
  corsOrigins: [],
  getPetEnabled: true,
  rateLimit: undefined,
  maxInFlight: 1_000,
  trustedProxies: 0,
  stopping: new AbortController().signal,
  maxStreams: 1_000,
  eventsTypePrefix: 'org.animal-store',
  documentation: undefined,
  observer: logObserver(failuresOnly),
  notify: () => {},
}

/**
 * The whole HTTP service over these ports, for any runtime that calls functions from `Request` to `Response`. It never rejects. An
 * `Unavailable` of a port becomes a 503, and its cause goes to the observer.
 *
 * @example
 * const ports = { ...makeMemoryStore(), clock: systemClock, crypto: nodeCrypto }
 * const handle = makeFetchHandler(ports, DEFAULT_HANDLER)
 * const response = await handle(new Request('https://pets.example/health/live'))
 * await response.text() // => '{"status":"ok"}'
 */
export const makeFetchHandler = (ports: ServicePorts, settings: HandlerSettings): FetchHandler =>
  makeFetchApp(useCasesOf(ports), settings)

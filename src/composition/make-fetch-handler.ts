// The HTTP service as a function from Request to Response. Loads neither Koa nor the packages of `/docs`.
import { type FetchHandler, fetchHandler, type HandlerSettings } from '../adapters/http/fetch/app.js'
import { type ServicePorts, useCasesOf } from './use-cases.js'

/**
 * The whole HTTP service over these ports, as a Fetch handler for any runtime. Never rejects. `Unavailable` of a port
 * becomes a 503, and its cause goes to the observer. Throws if the ports belong to different storages.
 *
 * @example
 * const ports = { ...makeMemoryStore(), clock: systemClock, crypto: nodeCrypto }
 * const handle = makeFetchHandler(ports, DEFAULT_HANDLER)
 * const response = await handle(new Request('https://pets.example/health/live'))
 * await response.text() // => '{"status":"ok"}'
 */
export const makeFetchHandler = (ports: ServicePorts, settings: HandlerSettings): FetchHandler =>
  fetchHandler(useCasesOf(ports), settings)

// Wires ports, use cases and the HTTP app.

import { authenticationCache } from '../adapters/http/access/authentication-cache.js'
import { makeApp } from '../adapters/http/koa/app.js'
import type { Listener } from '../adapters/http/server/make-server.js'
import type { AppSettings } from '../adapters/http/settings.js'
import { authenticate } from '../domain/api-keys/authenticate.js'
import { addPet } from '../domain/pets/add-pet.js'
import { getPet } from '../domain/pets/get-pet.js'
import { listPets } from '../domain/pets/list-pets.js'
import type { Ports } from '../ports/index.js'
import type { Store } from '../ports/store.js'

/** The ports that the service needs to answer requests, and `ping` for its readiness. */
export type ServicePorts = Pick<Ports, 'pets' | 'ids' | 'apiKeys' | 'clock' | 'crypto'> & Pick<Store, 'ping'>

/** Defaults; responses and failures are not reported. */
export const DEFAULT_SETTINGS: AppSettings = {
  maxBodyBytes: 1_048_576,
  publicUrl: undefined,
  corsOrigins: [],
  getPetEnabled: true,
  rateLimit: undefined,
  maxInFlight: 1_000,
  trustedProxies: 0,
  isStopping: () => false,
  observer: { answered: () => {}, failed: () => {} },
  notify: () => {},
}

/**
 * The whole HTTP service over these ports, as a listener for any Node server. It does not listen by itself, and several can
 * run in one process. An `Unavailable` of a port becomes a 503, and its cause goes to the observer.
 *
 * @example
 * const ports = { ...makeMemoryStore({ isRelayed: false }), clock: systemClock, crypto: nodeCrypto }
 * const { server } = makeServer(makeService(ports, DEFAULT_SETTINGS), { ...DEFAULT_SETTINGS, requestTimeoutMs: 10_000 })
 * server.listening // => false
 */
export const makeService = (ports: ServicePorts, settings: AppSettings): Listener =>
  makeApp(
    {
      addPet: addPet(ports),
      getPet: getPet(ports),
      listPets: listPets(ports),
      authenticate: authenticationCache(authenticate(ports), ports.clock),
      ping: ports.ping,
    },
    settings,
  )

// Shared by the listener and the fetch handler: use cases and defaults. Loads neither of their routers.
import { authenticationCache } from '../adapters/http/access/caller.js'
import { makeFeedTail } from '../adapters/http/feed/feed-tail.js'
import type { HandlerSettings } from '../adapters/http/fetch/app.js'
import type { UseCases } from '../adapters/http/routes.js'
import { DEFAULTS } from '../config/settings.js'
import { authenticate } from '../domain/api-keys/authenticate.js'
import { makeFeed, refuseMixed } from '../domain/events/read-feed.js'
import { addPet, type LogReader, onAdded } from '../domain/pets/add-pet.js'
import { getPet, listPets } from '../domain/pets/find-pets.js'
import type { Ports } from '../ports/index.js'
import type { Store } from '../ports/store.js'
import { failuresOnly, logObserver } from './service-log.js'

/** The ports that the service needs to serve requests, and `ping` for its readiness. */
export type ServicePorts = Pick<Ports, 'pets' | 'ids' | 'apiKeys' | 'log' | 'clock' | 'crypto'> & Pick<Store, 'ping'>

/** Notifies `reader` of each event that this service adds. Throws if the ports belong to different storages. */
export const useCasesOf = (ports: ServicePorts, reader?: LogReader): UseCases => {
  refuseMixed(ports)
  const feed = makeFeed(ports)
  const tail = makeFeedTail(feed)
  const pets = onAdded(ports.pets, { added: tail.wake }, ...(reader === undefined ? [] : [reader]))
  return {
    addPet: addPet({ ...ports, pets }),
    getPet: getPet(ports),
    listPets: listPets(ports),
    authenticate: authenticationCache(authenticate(ports), ports.clock),
    feed,
    tail,
    clock: ports.clock,
    sha256: ports.crypto.sha256,
    ping: ports.ping,
  }
}

/** Defaults: causes of a 500 or 503 go to stderr, responses are not reported, and the documentation is not served. */
export const DEFAULT_HANDLER: HandlerSettings = {
  ...DEFAULTS,
  corsOrigins: [],
  rateLimit: undefined,
  stopping: new AbortController().signal,
  documentation: undefined,
  observer: logObserver(failuresOnly),
}

// Shared by the listener and the fetch handler: use cases and defaults. Loads neither of their routers.
import { authenticationCache } from '../adapters/http/access/caller.js'
import { makeFeedTail } from '../adapters/http/feed/feed-tail.js'
import type { HandlerSettings } from '../adapters/http/fetch/app.js'
import type { HttpDependencies } from '../adapters/http/routes.js'
import { DEFAULTS } from '../config/settings.js'
import { authenticate } from '../domain/api-keys/authenticate.js'
import { makeFeed, refuseMixed } from '../domain/events/read-feed.js'
import { addPet, type LogReader, onAdded } from '../domain/pets/add-pet.js'
import { getPet, listPets } from '../domain/pets/find-pets.js'
import type { Ports } from '../ports/index.js'
import type { ServedStore } from '../ports/store.js'
import { failuresOnly, logObserver } from './service-log.js'

/** The ports that the service needs to serve requests, and `ping` for its readiness. Without `log`: no `GET /events`. */
export type ServicePorts = Pick<Ports, 'pets' | 'ids' | 'apiKeys' | 'clock' | 'crypto'> &
  Pick<ServedStore, 'log' | 'ping'>

const feedOf = (log: Ports['log']) => {
  const feed = makeFeed({ log })
  return { feed, tail: makeFeedTail(feed) }
}

/** Notifies `reader` of each create. Throws if the ports belong to different storages. */
export const useCasesOf = (ports: ServicePorts, reader?: LogReader): HttpDependencies => {
  refuseMixed(ports)
  const { clock, crypto, log } = ports
  const { sha256, randomBytes } = crypto
  const cached = authenticationCache(authenticate(ports), clock)
  const events = log && { ...feedOf(log), authenticate: cached, clock, sha256, randomBytes }
  const readers = [events && { added: events.tail.wake }, reader].filter((one) => one !== undefined)
  return {
    addPet: addPet({ ...ports, pets: onAdded(ports.pets, ...readers) }),
    getPet: getPet(ports),
    listPets: listPets(ports),
    authenticate: cached,
    events,
    sha256,
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

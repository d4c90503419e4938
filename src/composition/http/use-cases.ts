// Wires ports and use cases.
import { authenticationCache } from '../../adapters/http/access/authentication-cache.js'
import { makeFeedTail } from '../../adapters/http/feed/feed-tail.js'
import type { UseCases } from '../../adapters/http/routes.js'
import { authenticate } from '../../domain/api-keys/authenticate.js'
import { makeFeed, wakingAfterAdd } from '../../domain/events/read-feed.js'
import { addPet } from '../../domain/pets/add-pet.js'
import { getPet } from '../../domain/pets/get-pet.js'
import { listPets } from '../../domain/pets/list-pets.js'
import type { Ports } from '../../ports/index.js'
import type { Store } from '../../ports/store.js'

/** The ports that the service needs to answer requests, and `ping` for its readiness. */
export type ServicePorts = Pick<Ports, 'pets' | 'ids' | 'apiKeys' | 'log' | 'clock' | 'crypto'> & Pick<Store, 'ping'>

export const useCasesOf = (ports: ServicePorts): UseCases => {
  const feed = makeFeed(ports)
  const tail = makeFeedTail(feed)
  return {
    addPet: addPet({ ...ports, pets: wakingAfterAdd(ports.pets, tail.wake) }),
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

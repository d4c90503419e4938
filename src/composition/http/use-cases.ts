// Wires ports and use cases.
import { authenticationCache } from '../../adapters/http/access/authentication-cache.js'
import type { UseCases } from '../../adapters/http/routes.js'
import { authenticate } from '../../domain/api-keys/authenticate.js'
import { addPet } from '../../domain/pets/add-pet.js'
import { getPet } from '../../domain/pets/get-pet.js'
import { listPets } from '../../domain/pets/list-pets.js'
import type { Ports } from '../../ports/index.js'
import type { Store } from '../../ports/store.js'

/** The ports that the service needs to answer requests, and `ping` for its readiness. @since 1.0.0 @category HTTP */
export type ServicePorts = Pick<Ports, 'pets' | 'ids' | 'apiKeys' | 'clock' | 'crypto'> & Pick<Store, 'ping'>

export const useCasesOf = (ports: ServicePorts): UseCases => ({
  addPet: addPet(ports),
  getPet: getPet(ports),
  listPets: listPets(ports),
  authenticate: authenticationCache(authenticate(ports), ports.clock),
  ping: ports.ping,
})

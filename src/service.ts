// From ports to an app: every use case is wired here, once.
import type Koa from 'koa'
import { type AppSettings, makeApp } from './adapters/http/app.js'
import { rememberVerdicts } from './adapters/http/remembered-verdicts.js'
import { addPet } from './domain/add-pet.js'
import { authenticate } from './domain/authenticate.js'
import { getPet } from './domain/get-pet.js'
import { listPets } from './domain/list-pets.js'
import type { Ports } from './ports/index.js'

/** The ports that answering requests takes. */
export type ServicePorts = Pick<Ports, 'pets' | 'ids' | 'apiKeys' | 'clock' | 'crypto'>

/** The whole HTTP service over these ports; it does not listen, and several may live in one process. */
export const makeService = (ports: ServicePorts, settings: AppSettings): Koa =>
  makeApp(
    {
      addPet: addPet(ports),
      getPet: getPet(ports),
      listPets: listPets(ports),
      authenticate: rememberVerdicts(authenticate(ports), ports.clock),
      ping: ports.pets.ping,
    },
    settings,
  )

// Every route of the service, as a table.
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { AddPet } from '../../domain/add-pet.js'
import type { Scope } from '../../domain/api-key.js'
import type { Authenticate } from '../../domain/authenticate.js'
import type { Unavailable } from '../../domain/errors.js'
import type { GetPet } from '../../domain/get-pet.js'
import type { ListPets } from '../../domain/list-pets.js'
import { deprecated } from './deprecated.js'
import { docs } from './endpoints/docs.js'
import { errorReply, muted } from './error-reply.js'
import { live, ready } from './endpoints/health.js'
import { byMethod, type Method } from './methods.js'
import { openapiJson, openapiYaml } from './endpoints/openapi.js'
import { listOrders } from './endpoints/orders.js'
import { createPet, getOnePet, listAllPets } from './endpoints/pets.js'
import type { Endpoint } from './messages/reply.js'
import { type SecuredEndpoint, secured } from './secured.js'
import type { AppSettings } from './settings.js'

/** What the routes do their work with. */
export interface UseCases {
  readonly addPet: AddPet
  readonly getPet: GetPet
  readonly listPets: ListPets
  readonly authenticate: Authenticate
  /** Whether the store answers. */
  readonly ping: TaskEither<Unavailable, void>
}

type RouteSettings = Pick<AppSettings, 'hasGetPet' | 'isStopping'>

/** A row of the table: an endpoint for everybody, or one for keys with a scope. */
type Row = readonly [Method, string, Endpoint] | readonly [Method, string, Scope, SecuredEndpoint]

const GET_PET_PATH = '/v1/pets/{petId}'

const removed: SecuredEndpoint = async (request) => errorReply({ _tag: 'OperationRemoved' }, request.id)

export const routeTable = (useCases: UseCases, settings: RouteSettings): readonly Row[] => [
  ['GET', '/v1/pets', 'pets:read', listAllPets(useCases.listPets)],
  ['POST', '/v1/pets', 'pets:write', createPet(useCases.addPet)],
  ['GET', GET_PET_PATH, 'pets:read', settings.hasGetPet ? getOnePet(useCases.getPet) : removed],
  ['GET', '/v1/store/orders', 'orders:read', listOrders],
  ['GET', '/health/live', live],
  ['GET', '/health/ready', ready(useCases.ping, settings.isStopping)],
  ['GET', '/openapi.json', openapiJson],
  ['GET', '/openapi.yaml', openapiYaml],
  ...Object.entries(docs).map(([path, endpoint]): Row => ['GET', path, endpoint]),
]

/** One endpoint a path, in the order of the table. */
export const pathEndpoints = (useCases: UseCases, settings: RouteSettings): ReadonlyMap<string, Endpoint> => {
  const behindKey = secured(useCases.authenticate)
  const paths = new Map<string, Map<Method, Endpoint>>()
  for (const row of routeTable(useCases, settings)) {
    const [method, path] = row
    const endpoints = paths.get(path) ?? new Map<Method, Endpoint>()
    paths.set(path, endpoints.set(method, row.length === 3 ? row[2] : behindKey(row[2], row[3])))
  }
  return new Map(
    [...paths].map(([path, endpoints]) => {
      // a mute 500 is an answer of the route too, and gets the headers of all its answers
      const endpoint = muted(byMethod(endpoints))
      return [path, path === GET_PET_PATH ? deprecated(endpoint) : endpoint]
    }),
  )
}

// The table of routes.
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../../domain/errors.js'
import type { AddPet } from '../../domain/pets/add-pet.js'
import type { GetPet, ListPets } from '../../domain/pets/find-pets.js'
import { type EventsUseCases, eventsEndpoint } from './endpoints/events.js'
import { liveEndpoint, readyEndpoint } from './endpoints/health.js'
import {
  createPetEndpoint,
  getPetEndpoint,
  listOrdersEndpoint,
  listPetsEndpoint,
  removedEndpoint,
} from './endpoints/pets.js'
import type { Deprecation, Route } from './route.js'
import type { AppSettings } from './settings.js'

/** The use cases that the routes call. */
export interface HttpDependencies extends Pick<EventsUseCases, 'authenticate' | 'sha256'> {
  readonly addPet: AddPet
  readonly getPet: GetPet
  readonly listPets: ListPets
  /** Undefined: the store has no log. */
  readonly events: EventsUseCases | undefined
  /** Whether the store responds. */
  readonly ping: TaskEither<Unavailable, void>
}

/** 21 November 2026 to 5 December 2030 (openapi.yaml: getPet; RFC 9745, RFC 8594). */
const GET_PET: Deprecation = { since: '@1795219200', sunset: 'Thu, 05 Dec 2030 00:00:00 GMT', successor: '/pets' }

export const routeTable = (useCases: HttpDependencies, settings: AppSettings): readonly Route[] => {
  const { documentation, getPetEnabled, stopping, publicUrl } = settings
  const list = listPetsEndpoint(useCases.listPets, useCases.sha256)
  const create = createPetEndpoint(useCases.addPet)
  const get = getPetEnabled ? getPetEndpoint(useCases.getPet, useCases.sha256) : removedEndpoint
  const events = useCases.events && eventsEndpoint(useCases.events, settings)
  const ready = readyEndpoint(useCases.ping, stopping)
  const files = documentation?.(publicUrl) ?? []
  return [
    { _tag: 'Key', method: 'GET', path: '/v1/pets', scope: 'pets:read', endpoint: list },
    { _tag: 'Body', method: 'POST', path: '/v1/pets', scope: 'pets:write', endpoint: create },
    { _tag: 'Key', method: 'GET', path: '/v1/pets/{petId}', scope: 'pets:read', deprecation: GET_PET, endpoint: get },
    { _tag: 'Key', method: 'GET', path: '/v1/store/orders', scope: 'orders:read', endpoint: listOrdersEndpoint },
    ...(events === undefined
      ? []
      : [{ _tag: 'Key', method: 'GET', path: '/v1/events', scope: 'events:read', endpoint: events } as const]),
    { _tag: 'Public', method: 'GET', path: '/health/live', isProbe: true, endpoint: liveEndpoint },
    { _tag: 'Public', method: 'GET', path: '/health/ready', isProbe: true, endpoint: ready },
    ...files.map(([path, endpoint]): Route => ({ _tag: 'Public', method: 'GET', path, isProbe: false, endpoint })),
  ]
}

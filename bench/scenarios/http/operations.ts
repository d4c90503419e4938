// The requests of the HTTP comparison.
import type { HttpRequest } from '../../method/request.js'

export interface Operation {
  readonly name: string
  readonly request: HttpRequest
  readonly status: number
}

export const PETS = 1_000
const ELEMENTS = 10_000

const NEW_PET = { name: 'Rex', categoryId: 7, status: 'available' }

/** The n-th pet of each server before the measurement. */
export const petBody = (n: number): string => JSON.stringify({ ...NEW_PET, name: `Rex ${n}` })

/** Every operation; those that add pets come last, so that the others meet the same pets on each server. */
export const operations = (key: string): readonly Operation[] => {
  const create = { method: 'POST', path: '/v1/pets', key } as const
  const elements = Array.from({ length: ELEMENTS }, (_, n) => ({ n }))
  return [
    { name: 'list of 20', request: { method: 'GET', path: '/v1/pets?limit=20', key }, status: 200 },
    { name: 'by id', request: { method: 'GET', path: '/v1/pets/500', key }, status: 200 },
    { name: '401', request: { method: 'GET', path: '/v1/pets', key: `${key.slice(0, -1)}-` }, status: 401 },
    { name: '400', request: { ...create, body: '{"name":"Rex"}' }, status: 400 },
    { name: 'create', request: { ...create, body: JSON.stringify(NEW_PET) }, status: 201 },
    {
      name: `create with ${ELEMENTS.toLocaleString('en')} elements`,
      request: { ...create, body: JSON.stringify({ ...NEW_PET, elements }) },
      status: 201,
    },
  ]
}

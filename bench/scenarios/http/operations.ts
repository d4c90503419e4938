// The requests of the HTTP comparison.
import { createRequest, NEW_PET, wrongKey } from '../../method/learn.js'
import type { HttpRequest } from '../../method/request.js'

export interface Operation {
  readonly name: string
  readonly request: HttpRequest
  readonly status: number
}

const ELEMENTS = 10_000

/** Every operation; those that add pets come last, so that the others find the same pets on each server. */
export const operations = (key: string): readonly Operation[] => {
  const elements = Array.from({ length: ELEMENTS }, (_, n) => ({ n }))
  const list: HttpRequest = { method: 'GET', path: '/v1/pets?limit=20', key }
  return [
    { name: 'list of 20', request: list, status: 200 },
    { name: 'by id', request: { method: 'GET', path: '/v1/pets/500', key }, status: 200 },
    { name: '401', request: { ...list, key: wrongKey(key) }, status: 401 },
    { name: '400', request: createRequest(key, { name: 'Rex' }), status: 400 },
    { name: 'create', request: createRequest(key), status: 201 },
    {
      name: `create with ${ELEMENTS.toLocaleString('en')} elements`,
      request: createRequest(key, { ...NEW_PET, elements }),
      status: 201,
    },
  ]
}

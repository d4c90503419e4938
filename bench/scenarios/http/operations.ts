import { createRequest, NEW_PET, wrongKey } from '../../method/learn.js'
import type { HttpRequest } from '../../method/request.js'

export interface Operation {
  readonly name: string
  readonly request: HttpRequest
  /** Sent in turn with `request`. */
  readonly others?: readonly HttpRequest[]
  readonly status: number
  /** Only node:http takes part; it answers each path with constant bytes. */
  readonly isConstant?: true
}

const ELEMENTS = 5_000
/** Too many ids for the cache of a processor, in an order that no cache can predict. */
const IDS = 997
const STEP = 421

/** Operations that add pets come last, so that the others find the same pets on each server. */
export const operations = (key: string): readonly Operation[] => {
  const elements = Array.from({ length: ELEMENTS }, (_, n) => ({ n }))
  const list: HttpRequest = { method: 'GET', path: '/v1/pets?limit=20', key }
  const one = (id: number): HttpRequest => ({ method: 'GET', path: `/v1/pets/${id}`, key })
  const others = Array.from({ length: IDS }, (_, n) => one(1 + ((n * STEP) % IDS)))
  return [
    { name: 'list of 20', request: list, status: 200, isConstant: true },
    { name: 'by id', request: one(500), status: 200, isConstant: true },
    { name: `by ${IDS} ids`, request: one(500), others, status: 200 },
    // its own path, because the constant answer depends on the path
    { name: '401', request: { method: 'GET', path: '/v1/pets', key: wrongKey(key) }, status: 401, isConstant: true },
    { name: '400', request: createRequest(key, { name: 'Rex' }), status: 400 },
    { name: 'create', request: createRequest(key), status: 201, isConstant: true },
    {
      name: `create with ${ELEMENTS.toLocaleString('en')} elements`,
      request: createRequest(key, { ...NEW_PET, elements }),
      status: 201,
    },
  ]
}

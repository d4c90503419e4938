import { createRequest, NEW_PET, wrongKey } from '../../method/learn.js'
import type { HttpRequest } from '../../method/request.js'

export interface Operation {
  readonly name: string
  readonly request: HttpRequest
  /** Sent in turn with `request`. */
  readonly others?: readonly HttpRequest[]
  readonly status: number
  /** Whether node:http alone takes part, which answers a path with constant bytes. */
  readonly isConstant?: true
}

const ELEMENTS = 5_000
/** So many that no cache of a processor holds them, and in an order that no cache foresees. */
const IDS = 997
const STEP = 421

/** Every operation; those that add pets come last, so that the others find the same pets on each server. */
export const operations = (key: string): readonly Operation[] => {
  const elements = Array.from({ length: ELEMENTS }, (_, n) => ({ n }))
  const list: HttpRequest = { method: 'GET', path: '/v1/pets?limit=20', key }
  const one = (id: number): HttpRequest => ({ method: 'GET', path: `/v1/pets/${id}`, key })
  const others = Array.from({ length: IDS }, (_, n) => one(1 + ((n * STEP) % IDS)))
  return [
    { name: 'list of 20', request: list, status: 200, isConstant: true },
    { name: 'by id', request: one(500), status: 200, isConstant: true },
    { name: `by ${IDS} ids`, request: one(500), others, status: 200 },
    // a path of its own, for the constant answer
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

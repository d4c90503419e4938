// Fills a server with pets, and makes the requests that read them.
import { createRequest, NEW_PET } from '../../method/learn.js'
import { openLoad } from '../../method/load.js'
import { ask, type HttpRequest, requestBytes } from '../../method/request.js'
import type { Server } from '../../method/server-process.js'

const STATUSES = ['available', 'pending', 'sold']
const CALLERS = 32

export interface Filled {
  readonly server: Server
  readonly key: string
  readonly newestId: number
}

const newestId = async ({ port }: Server, key: string): Promise<number> => {
  const { body } = await ask(port, { method: 'GET', path: '/v1/pets?limit=1', key })
  return (JSON.parse(body) as readonly { readonly id: number }[])[0]?.id ?? 0
}

/** Adds at least that many pets, of all statuses in turn. */
export const fill = async (server: Server, key: string, size: number): Promise<Filled> => {
  const requests = STATUSES.map((status) => requestBytes(createRequest(key, { ...NEW_PET, status })))
  const load = await openLoad(server.port, requests, 201, CALLERS)
  let added = 0
  // short slices at first, so that a small store stays small
  for (let slice = 1; added < size; slice = Math.min(slice * 2, 1_000)) added += (await load.run(slice)).requests
  load.close()
  return { server, key, newestId: await newestId(server, key) }
}

/** The page of 20 that begins in the middle, found by its cursor as a client would. */
const deepPage = async ({ server: { port }, key, newestId: newest }: Filled): Promise<HttpRequest> => {
  let path = '/v1/pets?limit=100'
  for (let seen = 0; seen < newest / 2; seen += 100) {
    const { headers } = await ask(port, { method: 'GET', path, key })
    const next = /<([^>]+)>; rel="next"/.exec(headers['link'] ?? '')?.[1]
    if (next === undefined) break
    const { pathname, search } = new URL(next)
    path = `${pathname}${search}`
  }
  return { method: 'GET', path: path.replace('limit=100', 'limit=20'), key }
}

/** One request for each kind of read. */
export const reads = async (filled: Filled): Promise<Readonly<Record<string, HttpRequest>>> => {
  const get = (path: string): HttpRequest => ({ method: 'GET', path, key: filled.key })
  return {
    'by id': get(`/v1/pets/${Math.ceil(filled.newestId / 2)}`),
    list: get('/v1/pets?limit=20'),
    'list of a status': get('/v1/pets?limit=20&status=sold'),
    'deep page': await deepPage(filled),
  }
}

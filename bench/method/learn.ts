// Reads texts and constant headers from the running service for its peers, so that they always send the same.
import { createHash } from 'node:crypto'
import type { PeerSettings, Refusal } from '../servers/peer.js'
import { ask, type HttpAnswer, type HttpRequest } from './request.js'
import type { Server } from './server-process.js'

type Fields = Refusal['headers']

/** PUBLIC_URL of the service and its peers, so that their links are equal although their ports differ. */
export const BASE_URL = 'http://127.0.0.1:8080/v1'

export const NEW_PET = { name: 'Rex', categoryId: 7, status: 'available' }

export const createRequest = (key: string, body: unknown = NEW_PET): HttpRequest => ({
  method: 'POST',
  path: '/v1/pets',
  key,
  body: JSON.stringify(body),
})

export const wrongKey = (key: string): string => `${key.slice(0, -1)}-`

/** Without Node's own headers. */
export const fieldsOf = ({ rawHeaders }: HttpAnswer): Fields =>
  Array.from(
    { length: rawHeaders.length / 2 },
    (_, at) => [rawHeaders[2 * at] ?? '', rawHeaders[2 * at + 1] ?? ''] as const,
  ).filter(([name]) => !/^(?:date|connection|keep-alive)$/i.test(name))

/** Headers that are the same in every answer, so that a peer need not compute them. */
const constantFields = (answer: HttpAnswer): Fields =>
  fieldsOf(answer).filter(([name]) => !/^(?:etag|location|x-request-id|content-length)$/i.test(name))

/** Also adds the first pet to the service. Resolves to the environment that a peer needs. */
export const learn = async ({ port }: Server, key: string): Promise<Readonly<Record<string, string>>> => {
  const answer = async (request: HttpRequest, status: number): Promise<HttpAnswer> => {
    const found = await ask(port, request)
    if (found.status !== status) throw new Error(`wanted ${status}, got ${found.status} ${found.body}`)
    return found
  }
  const refusal = (found: HttpAnswer): Refusal => ({ headers: constantFields(found), body: found.body })
  const created = await answer(createRequest(key), 201)
  const path = created.headers['location']?.slice(BASE_URL.length - '/v1'.length) ?? ''
  const settings: PeerSettings = {
    baseUrl: BASE_URL,
    keyId: key.split('_')[2] ?? '',
    keyHash: createHash('sha256').update(key).digest('hex'),
    headers: {
      created: constantFields(created),
      one: constantFields(await answer({ method: 'GET', path, key }, 200)),
      list: constantFields(await answer({ method: 'GET', path: '/v1/pets', key }, 200)),
    },
    invalidKey: refusal(await answer({ method: 'GET', path: '/v1/pets', key: wrongKey(key) }, 401)),
    invalidPet: refusal(await answer(createRequest(key, { name: 'Rex' }), 400)),
  }
  return { PEER_SETTINGS: JSON.stringify(settings) }
}

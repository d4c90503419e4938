// A node:http peer with the duties of a request around its own store: key, parsing, headers, tag and log line.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { etagOf, isGoodKey, log, port, type Refusal, settings } from './peer.js'
import type { NewPet, Pet } from './pets.js'

export interface PeerStore {
  readonly add: (newPet: NewPet) => Pet | Promise<Pet>
  readonly find: (id: number) => Promise<Pet | undefined>
}

interface Answer {
  readonly status: number
  readonly headers: Refusal['headers']
  readonly body: string
}

const answerOf = async (request: IncomingMessage, { add, find }: PeerStore): Promise<Answer> => {
  if (request.url === '/health/ready') return { status: 200, headers: [], body: '' }
  if (!isGoodKey(request.headers.authorization)) return { status: 401, ...settings.invalidKey }
  if (request.method === 'POST') {
    const { name, categoryId, status } = JSON.parse(await text(request)) as NewPet
    if (typeof name !== 'string' || !Number.isInteger(categoryId)) return { status: 400, ...settings.invalidPet }
    const pet = await add(status === undefined ? { name, categoryId } : { name, categoryId, status })
    const location = ['Location', `${settings.baseUrl}/pets/${pet.id}`] as const
    return { status: 201, headers: [...settings.headers.created, location], body: JSON.stringify(pet) }
  }
  const pet = await find(Number(request.url?.split('/').pop()))
  if (pet === undefined) return { status: 404, headers: [], body: '' }
  const body = JSON.stringify(pet)
  return { status: 200, headers: [...settings.headers.one, ['ETag', etagOf(body)]], body }
}

export const serve = (store: PeerStore): void => {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const begin = performance.now()
    const requestId = randomUUID()
    const { status, headers, body } = await answerOf(request, store)
    const length = String(Buffer.byteLength(body))
    response.writeHead(status, [...headers.flat(), 'X-Request-Id', requestId, 'Content-Length', length])
    response.end(body)
    const ms = Math.round((performance.now() - begin) * 100) / 100
    const { method, url: route } = request
    log.info({ requestId, method, route, status, keyId: settings.keyId, ms }, 'request')
  }
  const server = createServer((request, response) => void answer(request, response))
  server.keepAliveTimeout = 65_000
  server.listen(port, '127.0.0.1')
}

// The Fastify peer, with the feature that makes it fast: compiled schemas of request and response bodies.
import { randomUUID } from 'node:crypto'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { etagOf, isGoodKey, log, nextLink, port, type Refusal, settings } from './peer.js'
import { addPet, findPet, type NewPet, pageOf } from './pets.js'

const status = { type: 'string', enum: ['available', 'pending', 'sold'] } as const
const newPet = {
  type: 'object',
  required: ['name', 'categoryId'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 256, pattern: '\\S' },
    categoryId: { type: 'integer' },
    status,
  },
} as const
const pet = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' }, categoryId: { type: 'integer' }, status },
} as const
const query = {
  type: 'object',
  properties: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 }, status },
} as const

const set = (reply: FastifyReply, code: number, headers: Refusal['headers']): FastifyReply => {
  reply.code(code)
  for (const [name, value] of headers) reply.header(name, value)
  return reply
}

const refuse = (reply: FastifyReply, code: number, { headers, body }: Refusal): FastifyReply =>
  set(reply, code, headers).send(body)

const app = fastify({
  keepAliveTimeout: 65_000,
  genReqId: ({ headers }) => headers['x-request-id']?.toString() ?? randomUUID(),
})

app.addHook('onRequest', async (request: FastifyRequest, reply) => {
  reply.header('X-Request-Id', request.id)
  if (request.url !== '/health/ready' && !isGoodKey(request.headers.authorization)) {
    return refuse(reply, 401, settings.invalidKey)
  }
  return
})

app.addHook('onSend', async (request, reply, payload) => {
  // without the charset that Fastify appends
  reply.header('Content-Type', 'application/json')
  if (request.method !== 'GET' || reply.statusCode !== 200) return payload
  const etag = etagOf(String(payload), reply.getHeader('link')?.toString())
  reply.header('ETag', etag)
  if (request.headers['if-none-match'] !== etag) return payload
  reply.code(304)
  return null
})

app.addHook('onResponse', async ({ id, method, routeOptions }, { statusCode, elapsedTime }) => {
  const ms = Math.round(elapsedTime * 100) / 100
  const route = routeOptions.url ?? 'unmatched'
  log.info({ requestId: id, method, route, status: statusCode, keyId: settings.keyId, ms }, 'request')
})

app.setErrorHandler((error: { validation?: unknown }, _request, reply) =>
  error.validation === undefined ? reply.code(500).send() : refuse(reply, 400, settings.invalidPet),
)

app.get('/health/ready', async () => ({ status: 'ok' }))

app.get<{ Querystring: { limit: number; status?: string } }>(
  '/v1/pets',
  { schema: { querystring: query, response: { 200: { type: 'array', items: pet } } } },
  async ({ query: { limit, status = null } }, reply) => {
    const page = pageOf(limit, status)
    set(reply, 200, settings.headers.list)
    if (page.before !== undefined) reply.header('Link', nextLink(page.before, limit, status))
    return page.pets
  },
)

app.get<{ Params: { petId: string } }>(
  '/v1/pets/:petId',
  { schema: { response: { 200: pet } } },
  async ({ params }, reply) => {
    const found = findPet(Number(params.petId))
    if (found === undefined) return reply.code(404).send()
    set(reply, 200, settings.headers.one)
    return found
  },
)

app.post<{ Body: NewPet }>(
  '/v1/pets',
  { schema: { body: newPet, response: { 201: pet } } },
  async ({ body }, reply) => {
    const added = addPet(body)
    set(reply, 201, settings.headers.created).header('Location', `${settings.baseUrl}/pets/${added.id}`)
    return added
  },
)

await app.listen({ port, host: '127.0.0.1' })

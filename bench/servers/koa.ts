// The Koa peer, written the obvious way: one middleware per concern, the router, koa-bodyparser, ctx.body.
import { randomUUID } from 'node:crypto'
import Router from '@koa/router'
import Koa, { type Context } from 'koa'
import bodyParser from 'koa-bodyparser'
import { etagOf, isGoodKey, log, nextLink, port, type Refusal, settings } from './peer.js'
import { addPet, findPet, type NewPet, pageOf } from './pets.js'

const answer = (context: Context, status: number, body: unknown, headers: Refusal['headers']): void => {
  context.status = status
  context.body = body
  for (const [name, value] of headers) context.set(name, value)
}

const refuse = (context: Context, status: number, { headers, body }: Refusal): void =>
  answer(context, status, JSON.parse(body), headers)

const isNewPet = (value: unknown): value is NewPet => {
  const { name, categoryId, status } = value as Record<string, unknown>
  if (typeof name !== 'string' || name.trim() === '' || [...name].length > 256) return false
  if (!Number.isInteger(categoryId)) return false
  return status === undefined || status === 'available' || status === 'pending' || status === 'sold'
}

const app = new Koa()

app.use(async (context, next) => {
  const begin = performance.now()
  const requestId = context.get('x-request-id') || randomUUID()
  await next()
  context.set('X-Request-Id', requestId)
  const ms = Math.round((performance.now() - begin) * 100) / 100
  const route = String(context['_matchedRoute'] ?? 'unmatched')
  log.info({ requestId, method: context.method, route, status: context.status, keyId: settings.keyId, ms }, 'request')
})

app.use(async (context, next) => {
  if (context.path !== '/health/ready' && !isGoodKey(context.get('authorization'))) {
    refuse(context, 401, settings.invalidKey)
  } else {
    await next()
  }
})

app.use(async (context, next) => {
  await next()
  if (context.method !== 'GET') return
  const body = JSON.stringify(context.body)
  context.set('ETag', etagOf(body, context.response.get('Link')))
  if (context.fresh) context.status = 304
})

app.use(bodyParser())

const router = new Router()
router.get('/health/ready', (context) => {
  context.body = { status: 'ok' }
})
router.get('/v1/pets', (context) => {
  const limit = Number(context.query['limit'] ?? 20)
  const status = context.query['status']?.toString() ?? null
  const page = pageOf(limit, status)
  answer(context, 200, page.pets, settings.headers.list)
  if (page.before !== undefined) context.set('Link', nextLink(page.before, limit, status))
})
router.get('/v1/pets/:petId', (context) => {
  const pet = findPet(Number(context['params']['petId']))
  if (pet === undefined) context.throw(404)
  else answer(context, 200, pet, settings.headers.one)
})
router.post('/v1/pets', (context) => {
  const body: unknown = context.request.body
  if (!isNewPet(body)) {
    refuse(context, 400, settings.invalidPet)
    return
  }
  const pet = addPet(body)
  answer(context, 201, pet, settings.headers.created)
  context.set('Location', `${settings.baseUrl}/pets/${pet.id}`)
})
app.use(router.routes())

const server = app.listen(port, '127.0.0.1')
server.keepAliveTimeout = 65_000

// The service as middleware in somebody else's Koa app: next to other middleware, and under a prefix.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, createServer as createHttp2Server, type IncomingHttpHeaders } from 'node:http2'
import Koa, { type Middleware } from 'koa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeKoaMiddleware } from '../../../../src/composition/make-koa-middleware.js'
import { DEFAULT_SETTINGS } from '../../../../src/composition/make-listener.js'
import type { RequestReport } from '../../../../src/ports/observer.js'
import { makeWorld } from '../../../support/domain/domain-world.js'
import { issueApiKey } from '../../../support/domain/issue-api-key.js'
import { listen } from '../../../support/http/listen.js'
import { startListening } from '../../../support/network/start-listening.js'

/** Like koa-mount: the middleware sees the rest of the path. */
const mountedAt =
  (prefix: string, middleware: Middleware): Middleware =>
  async (context, next) => {
    const { path } = context
    if (!path.startsWith(`${prefix}/`)) {
      await next()
      return
    }
    context.path = path.slice(prefix.length)
    await middleware(context, async () => {
      context.path = path
      await next()
    })
    context.path = path
  }

const others: Middleware = async (context, next) => {
  context.vary('Origin')
  await next()
  context.set('Server-Timing', 'app;dur=1')
}

const start = async ({ prefix = '', before = [] }: { prefix?: string; before?: readonly Middleware[] } = {}) => {
  const world = makeWorld()
  const reports: RequestReport[] = []
  const causes: unknown[] = []
  const observer = {
    responded: (report: RequestReport) => void reports.push(report),
    failed: (cause: unknown) => void causes.push(cause),
  }
  const service = makeKoaMiddleware(world, { ...DEFAULT_SETTINGS, observer })
  const app = new Koa()
  for (const middleware of before) app.use(middleware)
  app.use(prefix === '' ? service : mountedAt(prefix, service))
  app.use((context) => {
    context.body = 'mine'
  })
  const url = `http://127.0.0.1:${await startListening(createServer((...both) => void app.callback()(...both)))}${prefix}`
  const { text } = await issueApiKey(world)
  const anonymous = async (method: string, path: string, { body = null, headers = {} }: Sent = {}) => {
    const sent = { method, body, headers: { 'Content-Type': 'application/json', ...headers } }
    const response = await fetch(url + path, sent)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const call = (method: string, path: string, { body = null, headers = {} }: Sent = {}) =>
    anonymous(method, path, { body, headers: { ...headers, Authorization: `Bearer ${text}` } })
  return { app, url, key: text, call, anonymous, reports, causes }
}

interface Sent {
  readonly body?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

const refused = (status: number, code: string) => ({
  status,
  text: expect.stringContaining(`"code":"${code}"`) as string,
})

const BODY = '{"name":"Rex","categoryId":9223372036854775807}'

describe('the middleware of the service', () => {
  it.each(['', '/shop'])('serves pets below the prefix %j, with the headers of others', async (prefix) => {
    const { url, call, anonymous, reports } = await start({ prefix, before: [others] })
    const created = await call('POST', '/v1/pets', { body: BODY })
    expect(created.status).toBe(201)
    expect(created.text).toContain('"categoryId":9223372036854775807')
    expect(created.headers.get('Location')).toBe(`${url}/v1/pets/1`)
    expect(created.headers.get('Server-Timing')).toBe('app;dur=1')
    const listed = await call('GET', '/v1/pets')
    expect(listed.text).toBe(`[${created.text}]`)
    expect(listed.headers.get('Vary')).toBe('Origin, Prefer')
    const tag = listed.headers.get('ETag') ?? ''
    const unchanged = await call('GET', '/v1/pets', { headers: { 'If-None-Match': tag } })
    expect(unchanged).toMatchObject({ status: 304, text: '' })
    expect(await call('HEAD', '/v1/pets')).toMatchObject({ status: 200, text: '' })
    expect(reports.map(({ method, status }) => `${method} ${status}`)).toEqual([
      'POST 201',
      'GET 200',
      'GET 304',
      'HEAD 200',
    ])
    const stranger = await anonymous('GET', '/v1/pets')
    expect(stranger.headers.get('Link')).toContain(`<${prefix}/docs/errors#missing_api_key>`)
    const help = await anonymous('GET', '/docs/errors')
    expect(help.status).toBe(200)
  })

  it('gives its own addresses behind a middleware that rewrites paths', async () => {
    const rewrite: Middleware = async (context, next) => {
      context.path = context.path.replace(/^\/api\//, '/v1/')
      await next()
    }
    const { url, call, anonymous } = await start({ before: [rewrite] })
    expect((await call('POST', '/api/pets', { body: BODY })).headers.get('Location')).toBe(`${url}/v1/pets/1`)
    expect((await anonymous('GET', '/api/pets')).headers.get('Link')).toContain('</docs/errors#missing_api_key>')
  })

  it('answers failures in the Error shape, and passes on what is none of its paths', async () => {
    const { call, anonymous } = await start()
    expect(await anonymous('GET', '/v1/pets')).toMatchObject(refused(401, 'missing_api_key'))
    expect(await call('POST', '/v1/pets', { body: '{' })).toMatchObject(refused(400, 'malformed_json'))
    const tooLarge = { body: 'x'.repeat(70_000) }
    expect(await call('POST', '/v1/pets', tooLarge)).toMatchObject(refused(413, 'payload_too_large'))
    expect(await anonymous('DELETE', '/v1/pets')).toMatchObject({ status: 405 })
    expect(await anonymous('GET', '/mine')).toMatchObject({ status: 200, text: 'mine' })
  })

  it('leaves the address of the app itself to the app, for browsers too [front-page]', async () => {
    const { anonymous } = await start()
    expect(await anonymous('GET', '/', { headers: { Accept: 'text/html' } })).toMatchObject({
      status: 200,
      text: 'mine',
    })
  })

  it('reads a body that came over HTTP/2, where no header announces it', async () => {
    const { app, key } = await start()
    const server = createHttp2Server((...both) => void app.callback()(...both))
    const client = connect(`http://127.0.0.1:${await startListening(server)}`)
    onTestFinished(() => client.destroy())
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const stream = client.request({ ':method': 'POST', ':path': '/v1/pets', ...headers }).end(BODY)
    const [responded] = (await once(stream, 'response')) as [IncomingHttpHeaders]
    expect(responded).toMatchObject({ ':status': 201 })
  })

  it('says in the log that a parser of bodies must come behind it', async () => {
    const parser: Middleware = async ({ req }, next) => {
      await req.toArray()
      await next()
    }
    const { call, causes } = await start({ before: [parser] })
    expect(await call('POST', '/v1/pets', { body: BODY })).toMatchObject(refused(500, 'internal_error'))
    expect(String(causes[0])).toContain('mount it before any parser of bodies')
  })

  it('streams events, and reports the stream once its listener has left', async () => {
    const { url, key, call, reports } = await start()
    const listener = await listen(url, key)
    expect(listener.status).toBe(200)
    expect(await listener.next()).toHaveProperty('id')
    await call('POST', '/v1/pets', { body: BODY })
    expect(await listener.nextEvent()).toMatchObject({ data: { subject: '1' } })
    listener.leave()
    await expect.poll(() => reports.find(({ route }) => route === '/v1/events')).toMatchObject({ events: 1 })
  })
})

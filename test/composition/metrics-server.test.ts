import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { DEFAULT_SERVICE, makeMetricsServer } from '../../src/composition/make-listener.js'
import { type ServiceLog, silentLog } from '../../src/composition/service-log.js'
import { startService } from '../../src/composition/start-service.js'
import { fail } from '../../src/testing/samples.js'
import { openSocket, readAll, readUntil, sendRaw } from '../support/http/raw.js'
import { get } from '../support/http/raw-requests.js'
import { fetchOnce, runService } from '../support/http/running-service.js'
import { startListening } from '../support/network/start-listening.js'

const FORMAT = 'text/plain; version=0.0.4; charset=utf-8'
const TEXT = '# TYPE pets gauge\npets 7\n'
const render = () => Promise.resolve({ text: TEXT, contentType: FORMAT })

const loggedBy = () => {
  const logged: object[] = []
  const other = (): never => expect.fail('logged although nothing has failed')
  const error: ServiceLog['error'] = (details, message) => void logged.push({ message, ...details })
  return { logged, log: { info: other, warn: other, request: other, error } }
}

const start = async (rendering: typeof render = render) => {
  const { logged, log } = loggedBy()
  const { server } = makeMetricsServer({ render: rendering }, log)
  onTestFinished(() => server.closeAllConnections())
  const port = await startListening(server)
  const ask = (method: string, path: string) => fetchOnce(`http://127.0.0.1:${port}${path}`, { method })
  return { port, ask, logged }
}

describe('the port of the metrics', () => {
  it('has its own setting if it cannot be used, and is closed if that of the service cannot', async () => {
    const free = createServer()
    const [used, metricsPort] = [await startListening(createServer()), await startListening(free)]
    await once(free.close(), 'close')
    const causeOf = async (ports: { readonly port: number; readonly metricsPort: number }) =>
      String((await fail(startService({ ...DEFAULT_SERVICE, ...ports }, { store: makeMemoryStore() }))).cause)
    expect(await causeOf({ port: 0, metricsPort: used })).toContain('metricsPort: cannot listen')
    expect(await causeOf({ port: used, metricsPort })).toContain(' port: cannot listen')
    await expect(fetch(`http://127.0.0.1:${metricsPort}/metrics`)).rejects.toThrow('fetch failed')
  })

  it('serves them at one path, with the media type of their format', async () => {
    const { ask } = await start()
    for (const path of ['/metrics', '/metrics?name=x']) {
      const found = await ask('GET', path)
      expect([found.status, found.headers.get('Content-Type'), await found.text()]).toStrictEqual([200, FORMAT, TEXT])
    }
    const head = await ask('HEAD', '/metrics')
    expect([head.status, head.headers.get('Content-Type')]).toStrictEqual([200, FORMAT])
    expect([head.headers.get('Content-Length'), await head.text()]).toStrictEqual([String(TEXT.length), ''])
    const options = await ask('OPTIONS', '/metrics')
    expect([options.status, options.headers.get('Allow')]).toStrictEqual([204, 'GET, HEAD, OPTIONS'])
  })

  it.each<[string, number, string, string]>([
    ['another path', 404, 'route_not_found', get('/')],
    ['POST', 405, 'method_not_allowed', get('/metrics').replace('GET', 'POST')],
    ['no Host', 400, 'bad_request', 'GET /metrics HTTP/1.1\r\n\r\n'],
    ['an unknown expectation', 417, 'expectation_failed', get('/metrics', 'Expect: foo\r\n')],
    ['20 KB of headers', 431, 'headers_too_large', get('/metrics', `X: ${'y'.repeat(20_000)}\r\n`)],
  ])('refuses %s in the Error shape, without a link, and goes on', async (_, status, code, text) => {
    const { port, ask, logged } = await start()
    const [response, ...more] = await sendRaw(port, text.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    expect([response?.status, more]).toStrictEqual([status, []])
    expect(JSON.parse(response?.body ?? '')).toStrictEqual({ code, message: expect.stringMatching(/./), status })
    expect(Object.fromEntries(response?.headers ?? [])).toMatchObject({
      'content-type': 'application/json',
      'x-request-id': expect.stringMatching(/./),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    })
    expect(response?.headers.get('Link')).toBeNull()
    expect((await ask('GET', '/metrics')).status).toBe(200)
    expect(logged).toStrictEqual([])
  })

  it('answers 500 without details if they cannot be rendered, and logs why', async () => {
    const cause = new Error('inside')
    const { ask, logged } = await start(() => Promise.reject(cause))
    const failing = await ask('GET', '/metrics')
    const requestId = failing.headers.get('X-Request-Id')
    expect(await failing.json()).toStrictEqual({
      code: 'internal_error',
      message: `internal error (request ${requestId})`,
      status: 500,
    })
    expect(logged).toStrictEqual([{ message: 'failure', requestId, err: cause }])
  })

  it('neither logs nor counts its requests, and ends with the service, whoever is connected', async () => {
    const requests: string[] = []
    const log: ServiceLog = { ...silentLog, request: ({ path }) => void requests.push(path) }
    const { url, metricsUrl = '', stop } = await runService({ metricsPort: 0 }, { store: makeMemoryStore(), log })
    for (const at of [`${new URL(url).origin}/health/live`, metricsUrl, `${metricsUrl}/nope`]) await fetchOnce(at)
    const text = await (await fetchOnce(metricsUrl)).text()
    expect([requests, text.match(/^http_requests_total\{.*\} 1$/gm)?.length]).toStrictEqual([['/health/live'], 1])
    const kept = await openSocket(Number(new URL(metricsUrl).port))
    kept.write(get('/metrics'))
    await readUntil(kept, /200 OK/)
    const ended = readAll(kept)
    expect(await stop()).toBe(true)
    await ended
    await expect(fetch(metricsUrl)).rejects.toThrow('fetch failed')
  })
})

// The traits of a handler of the Fetch standard; all else is in the suites that the project `fetch` runs over it.
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { documentation } from '../../../../src/adapters/http/endpoints/documentation.js'
import type { HandlerSettings } from '../../../../src/adapters/http/fetch/app.js'

import { PETS, startHandler } from '../../../support/http/fetch-handler.js'

const PET = '{"name":"Rex","categoryId":9223372036854775807}'

const codeOf = async (response: Response): Promise<unknown> => [
  response.status,
  ((await response.json()) as { code?: unknown }).code,
]

describe('a fetch handler', () => {
  it('answers although the observer throws, and reports that', async () => {
    const failures: unknown[] = []
    const responded = (): void => {
      throw new Error('the log is full')
    }
    const observer = { responded, failed: (cause: unknown) => void failures.push(cause) }
    const { handle, headers } = await startHandler({ observer })
    const response = await handle(new Request(PETS, { method: 'POST', headers, body: PET }))
    expect([response.status, failures]).toEqual([201, [new Error('the log is full')]])
  })

  it('answers 500 if it cannot make a response, and reports why', async () => {
    const { handle, causes } = await startHandler({ publicUrl: 'https://k\u{e4}se\u0100.example/v1' })
    expect((await handle(new Request(PETS))).status).toBe(500)
    expect(causes).toMatchObject([{ message: expect.stringContaining('ByteString') }])
  })

  it('reports methods that clients invent as one, which so share a series of metrics', async () => {
    const { call, responses } = await startHandler()
    for (const method of ['M0', 'M1', 'ast_live_x', 'get', 'PROPFIND']) await call(PETS, { method })
    expect(responses.map(({ method }) => method)).toEqual(['_OTHER', '_OTHER', '_OTHER', 'GET', '_OTHER'])
  })

  it('listens to a request only until its stream has ended', async () => {
    const { handle, headers } = await startHandler()
    const asked = { headers: { ...headers, Accept: 'text/event-stream' } }
    const request = new Request('https://pets.example/v1/events', asked)
    const response = await handle(request)
    expect(getEventListeners(request.signal, 'abort')).toHaveLength(1)
    await response.body?.cancel()
    expect(getEventListeners(request.signal, 'abort')).toHaveLength(0)
  })

  it.each([
    ['Authorization', 'Bearer x', [401, 'invalid_api_key']],
    ['Authorization', '', [401, 'invalid_api_key']],
    ['Idempotency-Key', 'k', [400, 'invalid_parameter']],
    ['Idempotency-Key', '"k"', [400, 'invalid_parameter']],
    ['Content-Type', 'application/json', [415, 'unsupported_media_type']],
  ])('refuses two lines of %s, which the standard joins: %j', async (name, value, expected) => {
    const { handle, headers } = await startHandler()
    const repeated = new Headers(headers)
    if (!repeated.has(name)) repeated.append(name, value)
    repeated.append(name, value)
    expect(await codeOf(await handle(new Request(PETS, { method: 'POST', headers: repeated, body: PET })))).toEqual(
      expected,
    )
  })

  it('counts wrong keys by the address that the runtime knows', async () => {
    const peers = new Map<Request, string>()
    const rateLimit = { perSecond: 1, burst: 1 }
    const { handle } = await startHandler({ rateLimit, peerAddress: (request) => peers.get(request) })
    const statusFrom = async (peer: string): Promise<number> => {
      const request = new Request(PETS, { headers: { Authorization: 'Bearer x' } })
      peers.set(request, peer)
      return (await handle(request)).status
    }
    expect([await statusFrom('192.0.2.1'), await statusFrom('192.0.2.1')]).toEqual([401, 429])
    expect(await statusFrom('192.0.2.2')).toBe(401)
  })

  it('serves the documentation only if it is given', async () => {
    const paths = ['/docs', '/docs/errors', '/openapi.json', '/asyncapi.yaml']
    const statuses = async (settings: Partial<HandlerSettings>) => {
      const { call } = await startHandler(settings)
      return Promise.all(paths.map(async (path) => (await call(`https://pets.example${path}`)).status))
    }
    expect(await statuses({})).toEqual([404, 404, 404, 404])
    expect(await statuses({ documentation })).toEqual([200, 200, 200, 200])
  })
})

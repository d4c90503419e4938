import { setImmediate } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it, vi } from 'vitest'
import { documentation } from '../../../../src/adapters/http/endpoints/documentation.js'
import type { HandlerSettings } from '../../../../src/adapters/http/fetch/app.js'
import { makeFetchHandler } from '../../../../src/composition/make-fetch-handler.js'
import { DEFAULT_HANDLER } from '../../../../src/composition/use-cases.js'
import type { RequestReport } from '../../../../src/ports/observer.js'
import { makeWorld } from '../../../support/domain/domain-world.js'
import { issueApiKey } from '../../../support/domain/issue-api-key.js'
import { makeGate } from '../../../support/runner/gate.js'

const PETS = 'https://pets.example/v1/pets'
const PET = '{"name":"Rex","categoryId":9223372036854775807}'

const start = async (settings: Partial<HandlerSettings> = {}, world = makeWorld()) => {
  const responses: RequestReport[] = []
  const causes: unknown[] = []
  const observer = {
    responded: (response: RequestReport) => void responses.push(response),
    failed: (cause: unknown) => void causes.push(cause),
  }
  const handle = makeFetchHandler(world, { ...DEFAULT_HANDLER, observer, ...settings })
  const { text } = await issueApiKey(world)
  const headers = { Authorization: `Bearer ${text}`, 'Content-Type': 'application/json' }
  const call = (url: string, init: RequestInit = {}) => handle(new Request(url, { headers, ...init }))
  const create = (body: string | ReadableStream, init: RequestInit = {}) =>
    new Request(PETS, { method: 'POST', headers, body, duplex: 'half', ...init })
  return { handle, headers, call, create, responses, causes }
}

const errorOf = async (response: Response) => {
  const { code, message } = (await response.json()) as { readonly code: string; readonly message: string }
  return { status: response.status, code, message }
}

describe('a fetch handler', () => {
  it('answers 500 if the runtime does not know the peer, and reports why', async () => {
    const peerAddress = () => expect.fail('no peer')
    const { call, causes } = await start({ peerAddress })
    const message = expect.stringMatching(/^internal error \(request \S{36}\)$/)
    expect(await errorOf(await call(PETS))).toEqual({ status: 500, code: 'internal_error', message })
    expect(causes).toMatchObject([{ message: 'no peer' }])
  })
  it('reports methods that clients invent as one, which so share a series of metrics', async () => {
    const { call, responses } = await start()
    for (const method of ['M0', 'M1', 'ast_live_x', 'get', 'PROPFIND']) await call(PETS, { method })
    expect(responses.map(({ method }) => method)).toEqual(['_OTHER', '_OTHER', '_OTHER', 'GET', '_OTHER'])
  })

  it.each<[string, string, [number, string]]>([
    ['Authorization', 'Bearer x', [401, 'invalid_api_key']],
    ['Authorization', '', [401, 'invalid_api_key']],
    ['Idempotency-Key', 'k', [400, 'invalid_parameter']],
    ['Idempotency-Key', '"k"', [400, 'invalid_parameter']],
    ['Content-Type', 'application/json', [415, 'unsupported_media_type']],
  ])('refuses two lines of %s, which the standard joins: %j', async (name, value, expected) => {
    const { handle, headers, create } = await start()
    const repeated = new Headers(headers)
    if (!repeated.has(name)) repeated.append(name, value)
    repeated.append(name, value)
    const [status, code] = expected
    expect(await errorOf(await handle(create(PET, { headers: repeated })))).toMatchObject({ status, code })
  })

  it('counts wrong keys by the address that the runtime knows', async () => {
    const peers = new Map<Request, string>()
    const rateLimit = { perSecond: 1, burst: 1 }
    const { handle } = await start({ rateLimit, peerAddress: (request) => peers.get(request) })
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
      const { call } = await start(settings)
      return Promise.all(paths.map(async (path) => (await call(`https://pets.example${path}`)).status))
    }
    expect(await statuses({})).toEqual([404, 404, 404, 404])
    // errors do not link to the documentation either
    const { call } = await start()
    const response = await call('https://pets.example/docs')
    expect([response.headers.get('link'), (await errorOf(response)).message]).toEqual([null, 'no such path'])
    expect(await statuses({ documentation })).toEqual([200, 200, 200, 200])
  })
})

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('the body of a request', () => {
  it('may come in any number of chunks', async () => {
    const { handle, create } = await start()
    const chunks = Array.from(PET, bytes)
    const pull = (controller: ReadableStreamDefaultController): void => {
      const next = chunks.shift()
      if (next === undefined) controller.close()
      else controller.enqueue(next)
    }
    expect((await handle(create(new ReadableStream({ pull })))).status).toBe(201)
  })

  it('is not read at all if its announced length is too large', async () => {
    const { handle, headers, create } = await start({ maxBodyBytes: 10 })
    const pull = vi.fn<() => void>()
    const body = new ReadableStream({ pull }, { highWaterMark: 0 })
    const tooLarge = create(body, { headers: { ...headers, 'Content-Length': '4294967303' } })
    const message = 'the body must not exceed 10 bytes'
    expect(await errorOf(await handle(tooLarge))).toMatchObject({ status: 413, message })
    expect(pull).not.toHaveBeenCalled()
  })

  it('is read no further once it is too long, and not cancelled, which could close the connection', async () => {
    const { handle, create } = await start({ maxBodyBytes: 10 })
    let pulled = 0
    let isCancelled = false
    const pull = (controller: ReadableStreamDefaultController): void => {
      pulled += 1
      controller.enqueue(bytes('123456'))
    }
    const cancel = (): void => {
      isCancelled = true
    }
    const response = await handle(create(new ReadableStream({ pull, cancel }, { highWaterMark: 0 })))
    expect([response.status, pulled, isCancelled]).toEqual([413, 2, false])
  })

  it('that breaks off is refused, and stores nothing', async () => {
    const { handle, create, responses } = await start()
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })
    const message = 'the body did not arrive whole'
    expect(await errorOf(await handle(create(body)))).toMatchObject({ status: 400, message })
    // not as a lost connection: the client is there, and got the reply
    expect(responses).toMatchObject([{ status: 400, code: 'bad_request' }])
  })

  it('that was read before is a defect of the program around the handler', async () => {
    const { handle, create, causes } = await start()
    const read = create(PET)
    await read.text()
    const locked = create(PET)
    locked.body?.getReader()
    for (const request of [read, locked]) expect((await handle(request)).status).toBe(500)
    const reason = 'the body of the request was read before the handler was called'
    expect(causes).toEqual([new Error(reason), new Error(reason)])
  })
})

describe('a client that goes away', () => {
  it('gives back its place in flight, although its body never ends', async () => {
    const { handle, create, call, responses } = await start({ maxInFlight: 1 })
    const client = new AbortController()
    const asked = makeGate()
    const body = new ReadableStream({ pull: asked.open }, { highWaterMark: 0 })
    const responded = handle(create(body, { signal: client.signal }))
    await asked.opened
    expect((await call(PETS)).status).toBe(503)
    client.abort()
    expect((await responded).status).toBe(400)
    expect((await call(PETS)).status).toBe(200)
    // nothing was sent to it
    expect(responses[1]?.bytes).toBe(0)
  })

  it('before the body is read, has none', async () => {
    const { handle, create, responses } = await start()
    expect((await handle(create(PET, { signal: AbortSignal.abort() }))).status).toBe(400)
    expect(responses).toMatchObject([{ status: 499, bytes: 0 }])
  })

  it('while its next events are read, is no failure', async () => {
    const world = makeWorld()
    const [asked, answered] = [makeGate(), makeGate()]
    const read: typeof world.log.read = (request) => async () => {
      const page = await world.log.read(request)()
      // let reads for the latest position pass
      if (request.limit === 1 || E.isLeft(page) || page.right.events.length === 0) return page
      asked.open()
      await answered.opened
      return page
    }
    const { handle, headers, create, causes } = await start({}, { ...world, log: { ...world.log, read } })
    const listening = { headers: { ...headers, Accept: 'text/event-stream' } }
    const reader = (await handle(new Request('https://pets.example/v1/events', listening))).body?.getReader()
    const reads = [reader?.read(), reader?.read()]
    await handle(create(PET))
    await asked.opened
    await reader?.cancel()
    answered.open()
    expect(await reads[1]).toMatchObject({ done: true })
    await setImmediate()
    expect(causes).toEqual([])
  })
})

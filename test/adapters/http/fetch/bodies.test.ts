// Bodies of a fetch handler: streams that are too long, fail, end early or were read before.
import { describe, expect, it } from 'vitest'
import type { HandlerSettings } from '../../../../src/adapters/http/fetch/app.js'

import { PETS, startHandler } from '../../../support/http/fetch-handler.js'

const PET = '{"name":"Rex","categoryId":7}'
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const start = async (settings: Partial<HandlerSettings> = {}) => {
  const handler = await startHandler(settings)
  const { call, headers } = handler
  const requestOf = (body: string | ReadableStream, init: RequestInit = {}) =>
    new Request(PETS, { method: 'POST', headers, body, duplex: 'half', ...init })
  const list = async () => (await call(PETS)).status
  return { ...handler, requestOf, list }
}

const errorOf = async (response: Response): Promise<unknown> => [
  response.status,
  ((await response.json()) as { message?: unknown }).message,
]

describe('the body of a request', () => {
  it('may come in any number of chunks', async () => {
    const { handle, requestOf } = await start()
    const chunks = Array.from(PET, bytes)
    const body = new ReadableStream({
      pull: (controller) => {
        const next = chunks.shift()
        if (next === undefined) controller.close()
        else controller.enqueue(next)
      },
    })
    expect((await handle(requestOf(body))).status).toBe(201)
  })

  it('is not read at all if its announced length is too large', async () => {
    const { handle, headers } = await start({ maxBodyBytes: 10 })
    const pulled: number[] = []
    const body = new ReadableStream({ pull: () => void pulled.push(1) }, { highWaterMark: 0 })
    const init = {
      method: 'POST',
      headers: { ...headers, 'Content-Length': '4294967303' },
      body,
      duplex: 'half',
    } as const
    expect(await errorOf(await handle(new Request(PETS, init)))).toEqual([413, 'the body must not exceed 10 bytes'])
    expect(pulled).toHaveLength(0)
  })

  it('is read no further once it is too long, and not cancelled, which could close the connection', async () => {
    const { handle, requestOf } = await start({ maxBodyBytes: 10 })
    let pulled = 0
    let isCancelled = false
    const pull = (controller: ReadableStreamDefaultController): void => {
      pulled += 1
      controller.enqueue(bytes('123456'))
    }
    const cancel = (): void => {
      isCancelled = true
    }
    const response = await handle(requestOf(new ReadableStream({ pull, cancel }, { highWaterMark: 0 })))
    expect([response.status, pulled, isCancelled]).toEqual([413, 2, false])
  })

  it('that breaks off is refused, and stores nothing', async () => {
    const { handle, requestOf } = await start()
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })
    expect(await errorOf(await handle(requestOf(body)))).toEqual([400, 'the body did not arrive whole'])
  })

  it('that was read before is a defect of the program around the handler', async () => {
    const { handle, requestOf, causes } = await start()
    const read = requestOf(PET)
    await read.text()
    const locked = requestOf(PET)
    locked.body?.getReader()
    for (const request of [read, locked]) expect((await handle(request)).status).toBe(500)
    const reason = 'the body of the request was read before the handler was called'
    expect(causes).toEqual([new Error(reason), new Error(reason)])
  })
})

describe('a client that goes away', () => {
  it('gives back its place in flight, although its body never ends', async () => {
    const { handle, requestOf, list, responses } = await start({ maxInFlight: 1 })
    const client = new AbortController()
    let isAsked = (): void => {}
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    const body = new ReadableStream({ pull: isAsked }, { highWaterMark: 0 })
    const responded = handle(requestOf(body, { signal: client.signal }))
    await asked
    expect(await list()).toBe(503)
    client.abort()
    expect((await responded).status).toBe(400)
    expect(await list()).toBe(200)
    // nothing was sent to it
    expect(responses[1]?.bytes).toBe(0)
  })

  it('before the body is read, has none', async () => {
    const { handle, requestOf, responses } = await start()
    expect((await handle(requestOf(PET, { signal: AbortSignal.abort() }))).status).toBe(400)
    expect(responses).toMatchObject([{ status: 499, bytes: 0 }])
  })
})

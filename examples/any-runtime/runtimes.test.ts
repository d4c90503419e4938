// Each runtime adds a pet and reads it back exactly, and limits wrong keys by the client's address.
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import bun from './bun.js'
import { app, listen } from './hono.js'
import { handler } from './lambda.js'
import { newKey } from './service.js'

const BODY = '{"name":"Rex","categoryId":9223372036854775807}'

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

interface Answer {
  readonly status: number
  readonly location: string | null
  readonly text: string
}

const read = async (response: Response): Promise<Answer> => ({
  status: response.status,
  location: response.headers.get('Location'),
  text: await response.text(),
})

type Call = (sent: Sent) => Promise<Answer>

const server = listen(0)
const baseUrl = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
beforeAll(async () => {
  if (!server.listening) await once(server, 'listening')
})
afterAll(() => void server.close())

const ways: Readonly<Record<string, Call>> = {
  'Hono, over a socket': async ({ path, ...init }) => read(await fetch(baseUrl() + path, init)),
  'Hono, in the process': async ({ path, ...init }) => read(await app.request(path, init)),
  'a Bun-style serve': async ({ path, ...init }) =>
    read(
      await bun.fetch(new Request(`http://bun.example${path}`, init), { requestIP: () => ({ address: '192.0.2.1' }) }),
    ),
  'a Lambda-shaped handler': async ({ method, path, headers, body }) => {
    const { pathname, search } = new URL(path, 'https://lambda.example')
    const result = await handler({
      rawPath: pathname,
      rawQueryString: search.slice(1),
      headers,
      ...(body !== undefined && { body: Buffer.from(body).toString('base64') }),
      isBase64Encoded: body !== undefined,
      requestContext: { domainName: 'lambda.example', http: { method, sourceIp: '192.0.2.2' } },
    })
    const text = Buffer.from(result.body, 'base64').toString()
    return { status: result.statusCode, location: result.headers['location'] ?? null, text }
  },
}

describe.each(Object.entries(ways))('%s', (_, call) => {
  it('adds a pet and reads it again', async () => {
    const headers = { Authorization: `Bearer ${await newKey()}`, 'Content-Type': 'application/json' }
    const created = await call({ method: 'POST', path: '/v1/pets', headers, body: BODY })
    expect(created.status).toBe(201)
    expect(created.text).toMatch(/^{"id":\d+,"name":"Rex","categoryId":9223372036854775807}$/)
    const path = new URL(created.location ?? '').pathname
    expect(await call({ method: 'GET', path, headers })).toEqual({ status: 200, location: null, text: created.text })
    const list = await call({ method: 'GET', path: '/v1/pets?limit=1', headers })
    expect(list.text).toBe(`[${created.text}]`)
    expect((await call({ method: 'HEAD', path, headers })).text).toBe('')
  })

  it('counts wrong keys of its client alone', async () => {
    const headers = { Authorization: 'Bearer wrong' }
    const statuses: number[] = []
    // meanwhile, the limit refills at 50 per second
    while (statuses.at(-1) !== 429 && statuses.length < 10_000) {
      const calls = Array.from({ length: 50 }, () => call({ method: 'GET', path: '/v1/pets', headers }))
      statuses.push(...(await Promise.all(calls)).map(({ status }) => status))
    }
    expect(statuses.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 401))
    expect(statuses.at(-1)).toBe(429)
  })
})

it('keeps streams that rest, which Bun would end', () => expect(bun.idleTimeout).toBe(0))

it('keeps other routes of the app', async () => {
  expect((await app.request('/')).status).toBe(200)
})

it('answers a body that is too large, although the client is still sending', async () => {
  const headers = { Authorization: `Bearer ${await newKey()}`, 'Content-Type': 'application/json' }
  const sending = httpRequest(`${baseUrl()}/v1/pets`, { method: 'POST', headers })
  sending.on('error', () => {})
  const chunk = ' '.repeat(65_536)
  const write = (): void => {
    while (!sending.destroyed && sending.write(chunk));
  }
  sending.on('drain', write)
  write()
  const [response] = await once(sending, 'response')
  expect(response.statusCode).toBe(413)
  sending.destroy()
})

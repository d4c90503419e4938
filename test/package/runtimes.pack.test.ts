// The fetch handler of the packed package on other runtimes: each replies as Node does.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { BUN, startRuntime } from './runtimes.js'
import { type Scratch, scratchIn } from './scratch.js'

/** `/key` issues an API key. A Worker has no random bytes before the first request. */
const SERVICE = `
import { createApiKey, SCOPES } from 'animal-store'
import { DEFAULT_HANDLER, makeFetchHandler } from 'animal-store/fetch'
import { makeMemoryStore } from 'animal-store'
import { nodeCrypto, systemClock } from 'animal-store/node'
import { none } from 'fp-ts/lib/Option.js'
const make = () => {
  const ports = { ...makeMemoryStore(), clock: systemClock, crypto: nodeCrypto }
  const handle = makeFetchHandler(ports, { ...DEFAULT_HANDLER, publicUrl: 'https://pets.example/v1' })
  return { handle, issue: createApiKey(ports)({ name: none, scopes: SCOPES, lifetimeMs: none }) }
}
let made
const answer = async (request) => {
  const { handle, issue } = (made ??= make())
  return new URL(request.url).pathname === '/key' ? new Response((await issue()).right.text) : handle(request)
}
export default { fetch: answer }
`

interface Sent {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const REX = '{"name":"Rex","categoryId":9223372036854775807}'
const REQUESTS: readonly Sent[] = [
  { method: 'POST', path: '/v1/pets', body: REX, headers: { 'Idempotency-Key': 'a' } },
  { method: 'POST', path: '/v1/pets', body: REX, headers: { 'Idempotency-Key': 'a' } },
  { method: 'POST', path: '/v1/pets', body: '{"name":"\u{1F431}","categoryId":-1,"status":"sold"}' },
  { method: 'POST', path: '/v1/pets', body: '{"name":""}' },
  { method: 'POST', path: '/v1/pets', body: '{' },
  { method: 'POST', path: '/v1/pets', body: 'x', headers: { 'Content-Type': 'text/plain' } },
  { path: '/v1/pets' },
  { path: '/v1/pets?limit=1' },
  { path: '/v1/pets?limit=x' },
  { path: '/v1/pets?status=sold', headers: { Prefer: 'count=exact' } },
  { path: '/v1/pets/1' },
  { method: 'HEAD', path: '/v1/pets/1' },
  { path: '/v1/pets/9' },
  { path: '/v1/pets/%00' },
  { path: '/v1/PETS' },
  { method: 'DELETE', path: '/v1/pets' },
  { method: 'OPTIONS', path: '/v1/pets' },
  { path: '/v1/pets', headers: { Authorization: 'Bearer wrong' } },
  { path: '/v1/events?after=oldest' },
  { path: '/health/live' },
]

/** Depend on the runtime, the time or the connection. */
const PASSING = ['date', 'x-request-id', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'server']

type Fetch = (url: string, init?: RequestInit) => Promise<Response>

const repliesOf = async (url: string, send: Fetch): Promise<readonly unknown[]> => {
  const key = await (await send(`${url}/key`)).text()
  const replies: unknown[] = []
  for (const { method = 'GET', path, headers = {}, body = null } of REQUESTS) {
    const all = {
      Authorization: `Bearer ${key}`,
      ...(body !== null && { 'Content-Type': 'application/json' }),
      ...headers,
    }
    const response = await send(url + path, { method, body, headers: all })
    const kept = [...response.headers].filter(([name]) => !PASSING.includes(name))
    const text = (await response.text()).replaceAll(
      /[\da-f]{8}-[\da-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z|"[\w-]{20,}"/g,
      '(varies)',
    )
    replies.push({
      request: `${method} ${path}`,
      status: response.status,
      headers: kept.map(([n, v]) => [n, v.replace(/"[^"]*"|after=\w+|cursor=[\w-]+/g, '(varies)')]),
      text,
    })
  }
  const gone = new AbortController()
  const stream = await send(`${url}/v1/events?after=oldest`, {
    headers: { Authorization: `Bearer ${key}`, Accept: 'text/event-stream' },
    signal: gone.signal,
  })
  let text = ''
  const decoder = new TextDecoder()
  for await (const part of (stream.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(part, { stream: true })
    if (text.includes('"id":2')) break
  }
  gone.abort()
  replies.push({
    request: 'the stream',
    status: stream.status,
    type: stream.headers.get('Content-Type'),
    pets: [...text.matchAll(/"categoryId":-?\d+/g)].map(String),
  })
  return replies
}
interface Service {
  readonly default: { readonly fetch: (request: Request) => Promise<Response> }
}

let scratch: Scratch

describe('the fetch handler', () => {
  beforeAll(async () => {
    const folder = join(inject('installed'), 'runtimes')
    await mkdir(folder)
    scratch = scratchIn(folder)
    await scratch.write('service.mjs', SERVICE)
  })

  it.each(['bun', 'deno', 'workerd'] as const)('replies on %s as on Node', async (name) => {
    const { default: service } = (await import(`${join(scratch.folder, 'service.mjs')}?${name}`)) as Service
    const expected = await repliesOf('http://pets.test', (url, init) => service.fetch(new Request(url, init)))
    expect(await repliesOf(await startRuntime(scratch, name, './service.mjs'), fetch)).toStrictEqual(expected)
  })
})

it('the embedded store says on Deno what is missing there', async () => {
  const program = `
    import { openSqliteStore } from 'animal-store/sqlite'
    const opened = await openSqliteStore({ directory: './deno-data', reportDamage() {}, notify() {} })()
    console.log(opened.left.cause.message)`
  await scratch.write('sqlite.mjs', program)
  expect(await scratch.run('npx', '--yes', '-p', 'deno@2.9.6', 'deno', 'run', '--allow-all', 'sqlite.mjs')).toBe(
    'cannot open the store in ./deno-data: a thread of Deno cannot receive writes while it waits for a lock: use Node\n',
  )
})

it('the example any-runtime runs on Bun', async () => {
  const example = scratchIn(join(inject('installed'), 'examples/any-runtime'))
  const find = example.start({ PORT: '0' }, 'npx', '--yes', '-p', BUN, 'bun', 'run', 'bun.ts')
  const port = await find(/http:\/\/localhost:(\d+)/)
  expect((await fetch(`http://localhost:${port}/v1/pets`)).status).toBe(401)
})

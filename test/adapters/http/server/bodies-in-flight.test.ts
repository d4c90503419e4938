import { describe, expect, it } from 'vitest'
import { range } from '../../../../src/testing/samples.js'
import { startHttp } from '../../../support/http/http-service.js'
import { openSocket, readUntil, responsesIn, sendRaw } from '../../../support/http/raw.js'
import { BODY, framedPost, postHead } from '../../../support/http/raw-requests.js'

it('a service with as many requests in flight as it accepts requests no body', async () => {
  const { port, key } = await startHttp({ settings: { maxInFlight: 0 } })
  expect(await sendRaw(port, postHead(key, 10, 'Expect: 100-continue\r\n'))).toMatchObject([{ status: 503 }])
})

type Leave = (socket: Awaited<ReturnType<typeof openSocket>>) => unknown

it.each<[string, Leave]>([
  ['is late', () => {}],
  ['is cut by a reset', (socket) => socket.resetAndDestroy()],
  ['is cut by an end', (socket) => socket.end()],
  ['has a broken chunk', (socket) => socket.write('zz\r\n')],
])('a place in flight is released if the body %s', async (_, leave) => {
  const { port, key, call } = await startHttp({ settings: { maxInFlight: 1 }, requestTimeoutMs: 4_000 })
  const socket = await openSocket(port)
  socket.write(framedPost(key, 'Transfer-Encoding: chunked\r\n'))
  await expect.poll(async () => (await call('GET', '/v1/pets')).status).toBe(503)
  leave(socket)
  await expect.poll(async () => (await call('GET', '/v1/pets')).status).toBe(200)
  socket.destroy()
})

it.each(['', 'Expect: 100-continue\r\n'])(
  'no place is held by bodies whose broken chunk comes with the head: %j',
  async (lines) => {
    const { port, key, call } = await startHttp({ settings: { maxInFlight: 1 } })
    const broken = `${framedPost(key, `${lines}Transfer-Encoding: chunked\r\n`)}zz\r\n`
    for (const _ of range(1, 3)) expect((await sendRaw(port, broken)).at(-1)).toMatchObject({ status: 400 })
    expect((await call('GET', '/v1/pets')).status).toBe(200)
  },
)

const inChunks = (body: string, size: number): string => {
  const chunks = body.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
  return [...chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`), '0\r\n\r\n'].join('')
}

/** The default of BODY_LIMIT_BYTES. */
const LIMIT = 65_536

const padded = (bytes: number): string => BODY.padEnd(bytes, ' ')

describe('a chunked body', () => {
  it.each<[name: string, body: string, size: number, status: number]>([
    ['a small one in chunks of one byte', BODY, 1, 201],
    ['as much as the limit in large chunks', padded(LIMIT), 60_000, 201],
    ['60 kB in chunks of one byte', padded(60_000), 1, 201],
    ['a byte more than the limit', padded(LIMIT + 1), 60_000, 413],
  ])('may come in any number of chunks, within the limit: %s', async (_, body, size, status) => {
    const { port, key } = await startHttp()
    const text = framedPost(key, 'Transfer-Encoding: chunked\r\nConnection: close\r\n') + inChunks(body, size)
    const responses = await sendRaw(port, text)
    expect(responses.map((response) => response.status)).toEqual([status])
  })

  it.each([1, 512, 4_096].flatMap((size) => ['', 'Expect: 100-continue\r\n'].map((lines) => [size, lines] as const)))(
    'is refused at its first byte beyond the limit, and its client can read that: chunks of %d bytes, %j [body]',
    async (size, lines) => {
      const { port, key } = await startHttp()
      const socket = await openSocket(port)
      const text = readUntil(socket, /\}$/)
      socket.write(framedPost(key, `${lines}Transfer-Encoding: chunked\r\n`))
      // the body never ends
      socket.write(`${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`.repeat(Math.floor(LIMIT / size) + 1))
      const interim = lines === '' ? '' : 'HTTP/1.1 100 Continue\r\n\r\n'
      expect((await text).startsWith(interim)).toBe(true)
      expect(responsesIn((await text).slice(interim.length))).toMatchObject([{ status: 413 }])
    },
  )
})

describe('a body that arrives with its head', () => {
  /** Contains the blank line that ends a head, which is white space in JSON. */
  const body = (bytes: number): string => `{\r\n\r\n${padded(bytes - 4).slice(1)}`

  it.each([100, 16_385, 60_000])('is the body of its request if it has %s bytes', async (bytes) => {
    const { port, key } = await startHttp()
    const create = postHead(key, bytes) + body(bytes)
    const answers = await sendRaw(port, create + create + postHead(key, BODY.length, 'Connection: close\r\n') + BODY)
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(answers).toMatchObject([1, 2, 3].map((id) => ({ body: expect.stringContaining(`{"id":${id},`) })))
  })
})

import type { Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { shareHttp, startHttp } from '../../../support/http/http-service.js'
import {
  accepted,
  expectRefused,
  expectSoleRefusal,
  openSocket,
  readAll,
  readUntil,
  responsesIn,
  sendRaw,
} from '../../../support/http/raw.js'
import { authorization, framedPost, get, postHead } from '../../../support/http/raw-requests.js'
import { useFakeTimers } from '../../../support/runner/fake-timers.js'

const shared = shareHttp({ settings: { maxBodyBytes: 64 } })

const TIMED_OUT = Object.assign(new Error('ETIMEDOUT'), { code: 'ETIMEDOUT' })
const HEAD = 'GET /v1/pets HTTP/1.1\r\nHost: a\r\n'
const known = (): string => authorization(shared().key)
const post = (lines: string): string => framedPost(shared().key, lines)

describe('headers', () => {
  it('may be 100, and the service reads all of them', async () => {
    const lines = `Connection: close\r\n${'X: y\r\n'.repeat(97)}${known()}`
    const [response] = await sendRaw(shared().port, `${HEAD}${lines}\r\n`)
    expect(response?.status).toBe(200)
  })

  it('may not be 101 [headers]', async () => {
    await expectSoleRefusal(shared().port, `${HEAD}${known()}${'X: y\r\n'.repeat(99)}\r\n`, 431, 'headers_too_large')
  })

  it.each<[string, string]>([
    ['a header', `${HEAD}X: ${'y'.repeat(16_400)}\r\n\r\n`],
    ['many headers', `${HEAD}${`X: ${'y'.repeat(500)}\r\n`.repeat(40)}\r\n`],
    ['the target', `GET /v1/pets?${'a&'.repeat(8_200)} HTTP/1.1\r\nHost: a\r\n\r\n`],
  ])('may have 16 KiB in total, not more in %s', async (_, text) => {
    await expectSoleRefusal(shared().port, text, 431, 'headers_too_large')
  })
})

const SHOP = 'https://shop.example'

it.each<[string, string, string | null]>([
  ['two Hosts', 'Host: b\r\n', SHOP],
  ['101 headers', 'X: y\r\n'.repeat(99), SHOP],
  ['headers that could not be parsed', `X: ${'y'.repeat(16_400)}\r\n`, null],
])('a refusal has the CORS headers of every response: %s', async (_, lines, origin) => {
  const { port } = await startHttp({ settings: { corsOrigins: [SHOP] } })
  const [response] = await sendRaw(port, `${HEAD}Origin: ${SHOP}\r\n${lines}\r\n`)
  expect(response?.headers.get('Vary')).toBe('Origin')
  expect(response?.headers.get('Access-Control-Allow-Origin')).toBe(origin)
})

// one-at-a-time.test.ts: requests behind it
it('a body over the limit is refused by its length before it is sent, even beyond 32 bits [body]', async () => {
  const socket = await openSocket(shared().port)
  socket.write(post('Content-Length: 4294967303\r\n'))
  const [response] = responsesIn(await readUntil(socket, /\}$/))
  socket.destroy()
  expect(response).toMatchObject({ status: 413, body: expect.stringContaining('"payload_too_large"') })
})

describe('a request that does not arrive in time', () => {
  it('gets 408, whatever has arrived of it, and one line in the log [timeouts]', async () => {
    const { port, key, requestLines } = await startHttp({ requestTimeoutMs: 100 })
    const halves = ['', 'GET /v1/p', HEAD, `${postHead(key, 9)}{`]
    const refuse = (text: string) => expectSoleRefusal(port, text, 408, 'request_timeout')
    const ids = (await Promise.all(halves.map(refuse))).map((response) => response?.headers.get('X-Request-Id'))
    await expect.poll(requestLines).toHaveLength(halves.length)
    expect(requestLines().every(({ status }) => status === 408)).toBe(true)
    expect(new Set(requestLines().map(({ requestId }) => requestId))).toEqual(new Set(ids))
  })

  it.each([HEAD, 'G'])('gets 408 also if it began in the packet of another one: %j [timeouts]', async (begun) => {
    const { port } = await startHttp({ requestTimeoutMs: 1_000 })
    const responses = await sendRaw(port, get('/nope') + begun)
    expect(responses.map(({ status }) => status)).toStrictEqual([404, 408])
  })

  it('gets no second response if it already had one', async () => {
    const { port } = await startHttp({ requestTimeoutMs: 1_000 })
    const text = 'POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{'
    expect(await sendRaw(port, text)).toMatchObject([{ status: 401 }])
  })
})

it('headers that do not arrive in time get 408 after half of the time that a whole request has [timeouts]', async () => {
  const { port, key } = await startHttp({ requestTimeoutMs: 3_000 })
  const [slowHeaders, slowBody] = [await openSocket(port), await openSocket(port)]
  const created = readAll(slowBody)
  slowHeaders.write(HEAD)
  slowBody.write(`${postHead(key, 27, 'Connection: close\r\n')}{`)
  expectRefused(responsesIn(await readAll(slowHeaders))[0], 408, 'request_timeout')
  // the other request did not begin earlier, so it is still in time
  slowBody.write('"name":"a","categoryId":1}')
  expect(responsesIn(await created)).toMatchObject([{ status: 201 }])
})

it.each<[string, string, string, (client: Socket, server: Socket) => unknown]>([
  ['within the body', 'Content-Length: 9\r\n', '{', (client) => client.resetAndDestroy()],
  ['within a chunk', 'Transfer-Encoding: chunked\r\n', '5\r\n{', (client) => client.resetAndDestroy()],
  ['as its network is lost', 'Content-Length: 9\r\n', '{', (_, server) => server.destroy(TIMED_OUT)],
])('a client that goes away causes one line in the log, and no failure: %s', async (_, framing, begin, leave) => {
  const { http, port, key, logTexts, requestLines, call } = await startHttp()
  const { socket, serverSide, sent } = await accepted(http, port)
  await sent(framedPost(key, framing) + begin)
  leave(socket, serverSide)
  await expect.poll(requestLines).toMatchObject([{ status: 499, code: 'connection_lost' }])
  expect((await call('GET', '/v1/pets')).text).toBe('[]')
  expect(logTexts).toHaveLength(2)
})

it('a response may be left unread for 30 s, and the watch ends with the server [timeouts]', async () => {
  useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
  const { http, port } = await startHttp()
  vi.advanceTimersByTime(60_000)
  const { socket, serverSide } = await accepted(http, port)
  socket.pause().write(get('/docs/swagger-ui-bundle.js').repeat(4))
  await expect.poll(() => serverSide.writableLength).toBeGreaterThan(0)
  const settled = serverSide.writableLength
  vi.advanceTimersByTime(30_000)
  expect([serverSide.destroyed, serverSide.writableLength]).toEqual([false, settled])
  vi.advanceTimersByTime(2_000)
  expect(serverSide.destroyed).toBe(true)
  socket.destroy()
  http.server.close()
  await expect.poll(() => vi.getTimerCount()).toBe(0)
})

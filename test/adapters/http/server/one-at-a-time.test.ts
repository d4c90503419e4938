// What ends a connection, or comes behind its end: nothing is executed, answered twice, or left open.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeServer } from '../../../../src/adapters/http/server/make-server.js'
import { DEFAULT_SETTINGS } from '../../../../src/composition/make-listener.js'
import { startWithHeldLists } from '../../../support/http/held-lists.js'
import { shareHttp, startHttp } from '../../../support/http/http-service.js'
import { accepted, openSocket, readAll, readUntil, responsesIn, sendRaw } from '../../../support/http/raw.js'
import { authorization, BODY, framedPost, get, post, postHead } from '../../../support/http/raw-requests.js'
import { startListening } from '../../../support/network/start-listening.js'

const shared = shareHttp()
const LIVE = get('/health/live')
const CONNECT = 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n'
const CHUNKED = 'Transfer-Encoding: chunked\r\n'

it('CONNECT behind a large response cuts none of it [connection]', async () => {
  const { port, anonymous } = await startHttp()
  const path = '/docs/swagger-ui-bundle.js'
  const { text } = await anonymous('GET', path)
  const responses = await sendRaw(port, get(path).repeat(3) + CONNECT)
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 405])
  expect(responses[2]?.body).toHaveLength(Buffer.byteLength(text))
})

describe('garbage, and garbage again', () => {
  it('gets one refusal, behind the response of the create before it [connection]', async () => {
    const { http, port, key } = await startHttp()
    const { socket, sent } = await accepted(http, port)
    const all = readAll(socket)
    await sent(`${post(key)}GARBAGE\r\n\r\n`)
    if (socket.writable) socket.write('GARBAGE\r\n\r\n')
    expect(responsesIn(await all).map(({ status }) => status)).toEqual([201, 400])
  })

  it.each([
    ['behind its request', '', 'GARBAGE\r\n\r\n'],
    ['in the chunks of its request', CHUNKED, 'zz\r\n'],
  ])('writes nothing into the body of a stream, and ends no process: %s [feed-stream]', async (_, lines, garbage) => {
    const { http, port, key } = await startHttp()
    const { socket, sent, closed } = await accepted(http, port)
    const started = readUntil(socket, /retry: 1000\n/)
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
    })
    socket.write(get('/v1/events', `Accept: text/event-stream\r\n${lines}${authorization(key)}`))
    await started
    for (const __ of [1, 2]) await sent(garbage)
    socket.end()
    await closed
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })
})

describe('a refused connection is closed although its client goes on sending', () => {
  it.each<[string, (key: string) => string]>([
    ['a head that is late', () => 'GET / HTTP/1.1\r\nX: '],
    ['a body that is late', (key) => `${postHead(key, 9_000)}{`],
    ['a refused body that is late', () => `${postHead('', 9_000)}{`],
    ['CONNECT', () => CONNECT],
    ['CONNECT behind another request', () => LIVE + CONNECT],
    ['garbage', () => 'GARBAGE\r\n\r\n'],
  ])('after %s [timeouts]', async (_, textOf) => {
    const { http, port, key } = await startHttp({ requestTimeoutMs: 200 })
    const { socket, closed } = await accepted(http, port)
    socket.resume().write(textOf(key))
    const sending = setInterval(() => socket.write('x'), 20)
    onTestFinished(() => clearInterval(sending))
    await closed
    expect(http.connections.size).toBe(0)
  })

  it('also if it reads nothing', async () => {
    const { http, port } = await startHttp({ unreadTimeoutMs: 200 })
    const { socket, closed } = await accepted(http, port)
    socket.pause()
    socket.write(get('/docs/swagger-ui-bundle.js').repeat(8) + CONNECT)
    const sending = setInterval(() => socket.write('x'), 20)
    onTestFinished(() => clearInterval(sending))
    await closed
    expect(http.connections.size).toBe(0)
  })
})

describe('a request behind a refused body', () => {
  const LIMIT = 64
  const limited = shareHttp({ settings: { maxBodyBytes: LIMIT } })

  it.each<[string, (key: string) => readonly string[], number]>([
    ['by its length', (key) => [postHead(key, 2_000_000), 'x'.repeat(2_000_000)], 413],
    ['by its first chunks', (key) => [`${framedPost(key, CHUNKED)}64\r\n${'x'.repeat(100)}\r\n`, '0\r\n\r\n'], 413],
    [
      'by later chunks',
      (key) => [framedPost(key, CHUNKED), `64\r\n${'x'.repeat(100)}\r\n`, '5\r\nxxxxx\r\n0\r\n\r\n'],
      413,
    ],
    ['without a key', () => [postHead('', 2_000_000), 'x'.repeat(2_000_000)], 401],
    ['of another type', (key) => [postHead(key, 9).replace('/json', '/xml'), 'x'.repeat(9)], 415],
  ])('is answered on the same connection, refused %s [body]', async (_, textsOf, status) => {
    const { http, port, key } = limited()
    const { socket, sent } = await accepted(http, port)
    const all = readAll(socket)
    for (const text of textsOf(key)) await sent(text)
    socket.write(get('/nope', 'Connection: close\r\n'))
    expect(responsesIn(await all).map((response) => response.status)).toEqual([status, 404])
  })
})

it('more requests than allowed end a connection also behind its last response [connection]', async () => {
  const { http, port, key, entered, release } = await startWithHeldLists()
  for (const lines of ['Upgrade: h2c\r\nConnection: Upgrade\r\n', 'Expect: 100-continue\r\n']) {
    const { socket, closed } = await accepted(http, port)
    socket.resume().write(get('/v1/pets', authorization(key) + lines))
    await entered(1)
    socket.write(LIVE.repeat(32))
    await closed
  }
  release()
})

it('a request whose response is not taken yet is no request ahead [connection]', async () => {
  const large = new Uint8Array(20_000_000)
  const settings = { ...DEFAULT_SETTINGS, requestTimeoutMs: 10_000 }
  const { server } = makeServer(({ url }, response) => response.end(url === '/large' ? large : 'small'), settings)
  const port = await startListening(server)
  const socket = await openSocket(port)
  socket.pause().write(get('/large'))
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  await expect.poll(() => response.writableEnded).toBe(true)
  const last = get('/', 'Connection: close\r\n')
  const all = readAll(socket)
  socket.pause()
  await new Promise((resolve) => socket.write(get('/').repeat(31) + last, resolve))
  socket.resume()
  expect((await all).match(/small/g)).toHaveLength(32)
})

it('connections that clients reset print nothing', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => printed.mockRestore())
  const { http, port, key, entered, release, logTexts } = await startWithHeldLists()
  const { socket, closed } = await accepted(http, port)
  socket.write(get('/v1/pets', authorization(key)))
  await entered(1)
  const { socket: half, closed: halfClosed, sent } = await accepted(http, port)
  await sent(`${postHead(key, BODY.length)}{`)
  const tunnel = await accepted(http, port)
  await tunnel.sent(get('/v1/pets', authorization(key)) + CONNECT)
  for (const one of [socket, half, tunnel.socket]) one.resetAndDestroy()
  await Promise.all([closed, halfClosed, tunnel.closed])
  release()
  expect((await shared().anonymous('GET', '/health/live')).status).toBe(200)
  expect(printed).not.toHaveBeenCalled()
  expect(logTexts.filter((line) => /"level":"(?:error|warn)"/.test(line))).toEqual([])
})

it('Node keeps no more header lines than a request may have, and one, of a head that never ends [headers]', async () => {
  const { http } = await startHttp()
  expect(http.server.maxHeadersCount).toBe(101)
})

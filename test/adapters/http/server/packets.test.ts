// How requests may be cut into packets, and what is left of those whose client is gone.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { requestInTurn, requestsWaiting } from '../../../../src/adapters/http/messages/turns.js'
import { startHttp } from '../../../support/http/http-service.js'
import { accepted, openSocket, readAll, readUntil, responsesIn } from '../../../support/http/raw.js'
import { authorization, BODY, framedPost, get, post, postHead } from '../../../support/http/raw-requests.js'

const LIVE = get('/health/live')
const LAST = get('/health/live', 'Connection: close\r\n')

describe('a client that sends ahead', () => {
  it.each([
    ['requests without a body', () => get('/', `X-Padding: ${'x'.repeat(4_000)}\r\n`), 404],
    [
      'creates',
      (key: string) => post(key, JSON.stringify({ name: 'x', categoryId: 1, other: 'x'.repeat(20_000) })),
      201,
    ],
  ])('is not read far ahead of the request that is served: %s', async (_, requestOf, status) => {
    const service = await startHttp()
    const request = requestOf(service.key)
    const count = Math.ceil(5_000_000 / request.length)
    let begun = 0
    let ahead = 0
    service.http.server.on('request', ({ socket }: IncomingMessage) => {
      ahead = Math.max(ahead, socket.bytesRead - begun * request.length)
      begun += 1
    })
    const socket = await openSocket(service.port)
    const text = readAll(socket)
    socket.write(request.repeat(count) + LAST)
    const statuses = new Set(responsesIn(await text).map((response) => response.status))
    expect([begun, [...statuses]]).toStrictEqual([count + 1, [status, 200]])
    expect(ahead).toBeLessThan(256 * 1_024)
  })

  it.each([
    ['creates', (key: string) => post(key)],
    [
      'creates with long bodies',
      (key: string) => post(key, JSON.stringify({ name: 'x', categoryId: 1, other: 'x'.repeat(30_000) })),
    ],
    [
      'creates in chunks',
      (key: string) => `${framedPost(key, 'Transfer-Encoding: chunked\r\n')}1b\r\n${BODY}\r\n0\r\n\r\n`,
    ],
  ])('gets every response if it closes its side after the last request: %s', async (_, requestOf) => {
    const service = await startHttp()
    const socket = await openSocket(service.port)
    const text = readAll(socket)
    socket.end(requestOf(service.key).repeat(10))
    expect(responsesIn(await text).map(({ status }) => status)).toStrictEqual(Array.from({ length: 10 }, () => 201))
  })

  it('is not served any more once it is gone, although its requests wait', async () => {
    const service = await startHttp()
    const sockets = await Promise.all(Array.from({ length: 50 }, () => openSocket(service.port)))
    const begun = once(service.http.server, 'request')
    for (const socket of sockets) socket.write(get('/').repeat(1_000))
    await begun
    for (const socket of sockets) socket.resetAndDestroy()
    await expect.poll(() => service.http.connections.count()).toBe(0)
    expect((await service.call('GET', '/v1/pets')).status).toBe(200)
    expect(service.http.connections.inFlight()).toBe(0)
  })

  it('leaves no load if it is gone while its next request waits for a turn', async () => {
    const { http, port, key, call } = await startHttp({
      settings: { maxInFlight: 1 },
      replace: ({ pets }) => ({
        pets: {
          ...pets,
          add: (...pet) => {
            // turns that the next request has to wait for
            for (let count = 0; count < 50_000; count += 1) requestInTurn(false, () => {})
            return pets.add(...pet)
          },
        },
      }),
    })
    const { socket, sent, closed } = await accepted(http, port)
    // the next request is parsed with the end of this one, because the last chunk ends in two packets
    await sent(`${framedPost(key, 'Transfer-Encoding: chunked\r\n')}1b\r\n${BODY}\r\n0\r\n\r`)
    socket.once('data', () => socket.resetAndDestroy())
    socket.write(`\n${get('/v1/pets', authorization(key))}`)
    await closed
    await expect.poll(requestsWaiting).toBe(0)
    expect((await call('GET', '/v1/pets')).status).toBe(200)
  })

  it('has nothing of a body parsed before its key is accepted, although the head ends in two packets', async () => {
    const { http, port } = await startHttp()
    const { socket, sent } = await accepted(http, port)
    await sent(framedPost('none', 'Transfer-Encoding: chunked\r\n').slice(0, -1))
    const parts: unknown[] = []
    http.server.once('request', (request: IncomingMessage) => {
      request.push = (part) => parts.push(part) > 0
    })
    socket.write(`\n${'1\r\nx\r\n'.repeat(1_000)}`)
    expect(await readUntil(socket, /\}$/)).toMatch(/^HTTP\/1.1 401 /)
    expect(parts).toStrictEqual([])
  })

  it.each([6_000, 20_000])('may send empty lines inside the JSON, in a packet of its own: %d bytes', async (length) => {
    const { http, port, key } = await startHttp()
    const requested = once(http.server, 'request')
    const socket = await openSocket(port)
    const body = BODY.replace(',', `,${'\r\n\r\n'.repeat(length / 4)}`)
    socket.write(postHead(key, body.length))
    await requested
    socket.write(body)
    expect(await readUntil(socket, /\}$/)).toMatch(/^HTTP\/1.1 201 /)
  })

  it.each<[string, (key: string) => readonly string[]]>([
    ['in the packet of its request', (key) => [`${post(key)}\r\n`]],
    ['after its response', (key) => [post(key), '\r\n']],
    ['several', (key) => [post(key), '\r\n\r\n\r\n']],
    ['several packets', (key) => [post(key), '\r', '\n', '\r\n']],
    ['a lone line feed', () => [LIVE, '\n']],
    ['behind a request without a body', () => [`${LIVE}\r\n`, '\r\n']],
    ['behind a refused request', () => [get('/nope'), '\r\n']],
    [
      'behind a chunked body',
      (key) => [`${framedPost(key, 'Transfer-Encoding: chunked\r\n')}1b\r\n${BODY}\r\n0\r\n\r\n\r\n`],
    ],
    ['before its first request', () => ['\r\n']],
    ['a line feed before its first request', () => ['\n']],
  ])('is idle after empty lines, so that they delay no stop: %s [stop]', async (_, textsFor) => {
    const { http, port, key } = await startHttp()
    const { sent } = await accepted(http, port)
    for (const text of textsFor(key)) {
      await sent(text)
      await expect.poll(() => http.connections.areIdle()).toBe(true)
    }
  })

  it('is not idle once its next request has begun', async () => {
    const { http, port } = await startHttp()
    const { sent } = await accepted(http, port)
    await sent('\r\nG')
    expect(http.connections.areIdle()).toBe(false)
  })
})

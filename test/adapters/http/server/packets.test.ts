import { describe, expect, it, onTestFinished } from 'vitest'
import { isIdle } from '../../../../src/adapters/http/server/make-server.js'
import { startWithHeldLists } from '../../../support/http/held-lists.js'
import { startHttp } from '../../../support/http/http-service.js'
import { accepted, readAll, responsesIn } from '../../../support/http/raw.js'
import { authorization, BODY, framedPost, get, post } from '../../../support/http/raw-requests.js'

const LAST = get('/health/live', 'Connection: close\r\n')

describe('a client that sends ahead', () => {
  it.each([1, 32])('%d requests gets all responses, and its connection goes on [connection]', async (count) => {
    const service = await startHttp()
    const { socket } = await accepted(service.http, service.port)
    const all = readAll(socket)
    socket.write(get('/').repeat(count))
    await expect.poll(() => service.requestLines().length).toBe(count)
    socket.write(LAST)
    const statuses = responsesIn(await all).map(({ status }) => status)
    expect(statuses).toStrictEqual([...Array.from({ length: count }, () => 404), 200])
  })

  it.each([33, 1_000])('%d requests is disconnected [connection]', async (count) => {
    const service = await startHttp()
    const { socket, closed } = await accepted(service.http, service.port)
    socket.write(get('/').repeat(count))
    await closed
    expect((await service.anonymous('GET', '/health/live')).status).toBe(200)
  })

  it.each(['', 'half of a head'])(
    'and closes its side has left: nothing is sent to it, %j behind its request',
    async (behind) => {
      const { http, port, key, entered, release } = await startWithHeldLists()
      const { socket, closed } = await accepted(http, port)
      const text = readAll(socket)
      socket.write(get('/v1/pets', authorization(key)))
      await entered(1)
      socket.end(behind)
      await closed
      release()
      expect(await text).toBe('')
    },
  )

  it.each<[string, (key: string) => readonly string[]]>([
    ['in the packet of its request', (key) => [`${post(key)}\r\n`]],
    ['after its response', (key) => [post(key), '\r\n']],
    ['a lone line feed', () => [LIVE, '\n']],
    ['behind a refused request', () => [get('/nope'), '\r\n']],
    [
      'behind a chunked body',
      (key) => [`${framedPost(key, 'Transfer-Encoding: chunked\r\n')}1b\r\n${BODY}\r\n0\r\n\r\n\r\n`],
    ],
    ['before its first request', () => ['\r\n']],
  ])('is idle after empty lines, so that they delay no stop: %s [stop]', async (_, textsFor) => {
    const { http, port, key, requestLines } = await startHttp()
    const { sent } = await accepted(http, port)
    for (const text of textsFor(key)) {
      await sent(text)
      await expect.poll(() => [...http.connections.values()].every(isIdle)).toBe(true)
    }
    // and not because it was refused as late
    expect(requestLines().filter(({ status }) => status === 408)).toStrictEqual([])
  })
})

const LIVE = get('/health/live')

describe('a client that does not read', () => {
  it('is disconnected once its response has stayed unread for too long', async () => {
    const service = await startHttp({ unreadTimeoutMs: 500, requestTimeoutMs: 500 })
    const { socket, serverSide, closed } = await accepted(service.http, service.port)
    socket.pause()
    socket.write(get('/docs/swagger-ui-bundle.js').repeat(8))
    await expect.poll(() => serverSide.writableLength).toBeGreaterThan(0)
    // the client may go on sending
    const sending = setInterval(() => socket.write('G'), 50)
    onTestFinished(() => clearInterval(sending))
    await closed
    expect((await service.anonymous('GET', '/health/live')).status).toBe(200)
  })

  it('gets all of every response if it reads later', async () => {
    const service = await startHttp()
    const { socket, serverSide } = await accepted(service.http, service.port)
    socket.pause()
    const path = '/docs/swagger-ui-bundle.js'
    // more than the system buffers at once
    socket.write(get(path).repeat(7) + get(path, 'Connection: close\r\n'))
    await expect.poll(() => serverSide.writableLength).toBeGreaterThan(0)
    const text = readAll(socket)
    socket.resume()
    const whole = Buffer.from((await service.anonymous('GET', path)).text).toString('latin1')
    const equal = responsesIn(await text).filter(({ body }) => body === whole)
    expect(equal).toHaveLength(8)
  })
})

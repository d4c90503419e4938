import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { stopServer } from '../../../../src/adapters/http/server/stop-server.js'
import { startWithHeldLists } from '../../../support/http/held-lists.js'
import { startHttp } from '../../../support/http/http-service.js'
import { accepted, openSocket, readAll, readUntil, responsesIn } from '../../../support/http/raw.js'
import { authorization, get } from '../../../support/http/raw-requests.js'
import { eventually } from '../../../support/runner/eventually.js'
import { useFakeTimers } from '../../../support/runner/fake-timers.js'
import { boundMs } from '../../../support/runner/night.js'

const startHeld = async () => {
  const service = await startWithHeldLists()
  return { ...service, list: get('/v1/pets', authorization(service.key)) }
}

const LIVE = get('/health/live')

/** What a new connection gets until the server closes it. */
const answerTo = async (port: number): Promise<string> => {
  const socket = await openSocket(port)
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk))).once('end', () => socket.end())
  socket.write(LIVE)
  await new Promise((resolve) => socket.once('close', resolve))
  return text
}

describe('stopServer', () => {
  it('answers the request under way, and processes no pipelined one behind it', async () => {
    const { http, port, list, entered, release, requestLines } = await startHeld()
    const socket = await openSocket(port)
    const text = readAll(socket)
    socket.write(list + list + list)
    await entered(1)
    const stopped = stopServer(http, { drainMs: 0, shutdownMs: 5_000 })
    release()
    expect(await stopped).toBe(true)
    const responses = responsesIn(await text).map(({ status, headers }) => [status, headers.get('Connection')])
    expect(responses).toEqual([[200, 'close']])
    expect(requestLines()).toHaveLength(1)
  })

  it('closes kept connections after a second without a request, and does not count them as failures [stop]', async () => {
    const { http, port } = await startHttp()
    const accepted = once(http.server, 'connection')
    const unused = await openSocket(port)
    await accepted
    const used = await openSocket(port)
    used.write(LIVE)
    await readUntil(used, /\}$/)
    for (const socket of [unused, used]) socket.once('end', () => socket.end()).resume()
    const begin = performance.now()
    expect(await stopServer(http, { drainMs: 0, shutdownMs: 9_000 })).toBe(true)
    // the stop waits a second for requests on their way
    expect(performance.now() - begin).toBeGreaterThan(800)
    expect(performance.now() - begin).toBeLessThan(boundMs(3_500))
  })

  it('answers the next request of a kept connection, which is its last', async () => {
    const { http, port } = await startHttp()
    const socket = await openSocket(port)
    socket.write(LIVE)
    await readUntil(socket, /\}$/)
    const stopped = stopServer(http, { drainMs: 50, shutdownMs: 5_000 })
    const text = readAll(socket)
    socket.write(LIVE)
    expect(responsesIn(await text).map(({ headers }) => headers.get('Connection'))).toEqual(['close'])
    expect(await stopped).toBe(true)
  })

  it('cuts a silent connection, not one whose request is arriving or under way, and takes no new one [stop]', async () => {
    useFakeTimers({ toFake: ['performance'] })
    const { http, port, list, entered, release } = await startHeld()
    const [silent, arriving, held] = [await accepted(http, port), await accepted(http, port), await openSocket(port)]
    const [arrived, answered] = [readAll(arriving.socket), readAll(held)]
    silent.socket.once('end', () => silent.socket.end()).resume()
    held.write(list)
    await entered(1)
    const stopped = stopServer(http, { drainMs: 0, shutdownMs: 9_000 })
    vi.advanceTimersByTime(900)
    await arriving.sent(LIVE.slice(0, 20))
    vi.advanceTimersByTime(900)
    await silent.closed
    await eventually(async () => expect(await answerTo(port)).toBe(''))
    arriving.socket.write(LIVE.slice(20))
    release()
    for (const text of [arrived, answered]) expect(responsesIn(await text)).toMatchObject([{ status: 200 }])
    expect(await stopped).toBe(true)
  })

  it('answers a connection that arrives while the service is busy at the end of the drain', async () => {
    const { http, port } = await startHttp()
    // after I/O come the immediates, then the drain timer
    await stat('.')
    const stopped = stopServer(http, { drainMs: 20, shutdownMs: 5_000 })
    const socket = connect(port, '127.0.0.1')
    const text = readAll(socket)
    socket.write(LIVE)
    setImmediate(() => {
      for (const end = performance.now() + 60; performance.now() < end; );
    })
    expect(responsesIn(await text)).toMatchObject([{ status: 200 }])
    expect(await stopped).toBe(true)
  })

  it('lets a client that reads slowly take the whole of its response [stop]', async () => {
    const { http, port } = await startHttp()
    const { socket, serverSide } = await accepted(http, port)
    socket.pause()
    const path = '/docs/swagger-ui-bundle.js'
    socket.write(get(path).repeat(4))
    await expect.poll(() => serverSide.writableLength).toBeGreaterThan(0)
    const stopped = stopServer(http, { drainMs: 0, shutdownMs: 30_000 })
    const text = readAll(socket)
    await expect.poll(() => http.connections.size).toBe(1)
    socket.resume()
    const [first] = responsesIn(await text)
    expect(first?.headers.get('Content-Length')).toBe(String(first?.body.length))
    expect(await stopped).toBe(true)
  })

  it.each(['', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n'])(
    'closes all remaining connections at its deadline, %j behind their requests [stop]',
    async (behind) => {
      const { http, port, list, entered } = await startHeld()
      const { socket, closed } = await accepted(http, port)
      socket.write(list + behind)
      await entered(1)
      expect(await stopServer(http, { drainMs: 0, shutdownMs: 20 })).toBe(false)
      await closed
    },
  )

  it('refuses late requests also while it stops [stop]', async () => {
    const { http, port } = await startHttp({ requestTimeoutMs: 200 })
    const socket = await openSocket(port)
    const all = readAll(socket)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n')
    const stopped = stopServer(http, { drainMs: 0, shutdownMs: 30_000 })
    expect(responsesIn(await all)).toMatchObject([{ status: 408 }])
    expect(await stopped).toBe(true)
  })
})

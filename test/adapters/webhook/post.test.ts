import { createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openLink } from '../../../src/adapters/webhook/post.js'
import { freePort } from '../../support/network/free-port.js'
import { startListening } from '../../support/network/start-listening.js'
import { useFakeTimers } from '../../support/runner/fake-timers.js'

const OK = 'HTTP/1.1 200 OK\r\n'

const open = (url: string, timeoutMs = 5_000) => {
  const link = openLink(new URL(url), timeoutMs)
  onTestFinished(link.close)
  return { ...link, send: () => link.post('{}', {}) }
}

/** Does not read the bytes of requests. */
const rawReceiver = async (respond: (socket: Socket, nth: number) => void) => {
  const sockets: Socket[] = []
  let count = 0
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.on('data', () => {
      count += 1
      respond(socket, count)
    })
  })
  const port = await startListening(server)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  return { url: `http://127.0.0.1:${port}/secret`, sockets, requestCount: () => count }
}

describe('openLink', () => {
  it('tries again at once on a connection of its own if the receiver has closed the kept one', async () => {
    const { url, sockets, requestCount } = await rawReceiver((socket, nth) => {
      // as if it had closed an idle connection just before the second request arrived
      if (nth === 2) socket.resetAndDestroy()
      else socket.write(`${OK}content-length: 0\r\n\r\n`)
    })
    const { send } = open(url)
    useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    for (let turn = 0; turn < 3; turn += 1) expect(await send()).toMatchObject({ status: 200 })
    expect([requestCount(), sockets.length]).toStrictEqual([4, 2])
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each<[string, string, (socket: Socket) => void]>([
    ['closes a new connection', 'ECONNRESET: socket hang up', (socket) => socket.destroy()],
    [
      'changes to another protocol',
      'the connection was closed without a response',
      (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    ],
  ])('does not try again if the receiver %s', async (_, reason, respond) => {
    const { url, requestCount } = await rawReceiver(respond)
    expect(await open(url).send()).toStrictEqual({ _tag: 'NoResponse', reason })
    expect(requestCount()).toBe(1)
  })

  it.each([503, 429, 422, 404, 301])('leaves a receiver that responds with %d for another one', async (status) => {
    // a balancer that sends every other connection to a receiver that fails
    const { url, sockets } = await rawReceiver((socket) => {
      const fails = sockets.indexOf(socket) % 2 === 0
      socket.write(`${fails ? `HTTP/1.1 ${status} No\r\n` : OK}content-length: 2\r\n\r\n{}`)
    })
    const { send } = open(url)
    for (const wanted of [status, 200, 200]) expect(await send()).toMatchObject({ _tag: 'Response', status: wanted })
    expect(sockets).toHaveLength(2)
    await expect.poll(() => sockets[0]?.closed).toBe(true)
  })

  it('reports a receiver that is away, without the path of its address', async () => {
    const port = await freePort()
    const reason = `ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:${port}`
    expect(await open(`http://127.0.0.1:${port}/secret`).send()).toStrictEqual({ _tag: 'NoResponse', reason })
  })

  it.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => {}],
    ['never ends its headers', (socket) => socket.write(`${OK}x-slow: `)],
  ])('gives up a receiver that %s', async (_, respond) => {
    const { url, sockets } = await rawReceiver(respond)
    expect(await open(url, 200).send()).toStrictEqual({ _tag: 'NoResponse', reason: 'no response within 0.2 s' })
    const [socket] = sockets
    await expect.poll(() => socket?.closed).toBe(true)
  })

  it.each<[string, (socket: Socket) => void]>([
    [
      'is longer than anyone needs',
      (socket) => socket.write(`${OK}content-length: 9999999\r\n\r\n${'x'.repeat(1_000_000)}`),
    ],
    ['never ends', (socket) => socket.write(`${OK}content-length: 9\r\n\r\nx`)],
    ['breaks off', (socket) => socket.end(`${OK}content-length: 9\r\n\r\nx`)],
  ])('keeps the status of an answer whose body %s, and goes on with another connection', async (_, respond) => {
    const { url, sockets, requestCount } = await rawReceiver(respond)
    const { send } = open(url, 3_600_000)
    for (let turn = 0; turn < 2; turn += 1) expect(await send()).toMatchObject({ _tag: 'Response', status: 200 })
    expect([requestCount(), sockets.length]).toStrictEqual([2, 2])
  })
  it('reads no more than 64 KiB of a body, however fast it comes', async () => {
    const { url } = await rawReceiver((socket) =>
      socket.write(`${OK}content-length: 9999999\r\n\r\n${'x'.repeat(1_000_000)}`),
    )
    // the limit of time never passes
    useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const sent = open(url).send()
    expect(await Promise.race([sent, pause(10_000)])).toMatchObject({ _tag: 'Response', status: 200 })
  })
})

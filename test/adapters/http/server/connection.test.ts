import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import {
  beginOn,
  type Connection,
  makeTurns,
  openOn,
  type Serving,
} from '../../../../src/adapters/http/server/connection.js'
import { makeConnections } from '../../../../src/adapters/http/server/connections.js'
import { Wire } from '../../../../src/adapters/http/server/wire.js'
import { range } from '../../../../src/testing/samples.js'

it('fewer requests begin after long turns, and at least one', async () => {
  const inTurn = makeTurns()
  for (const _ of range(1, 8)) {
    inTurn(() => {
      for (const end = performance.now() + 60; performance.now() < end; );
    })
    await nextTurn()
  }
  let begun = 0
  for (const _ of range(1, 3)) inTurn(() => (begun += 1))
  expect(begun).toBe(1)
})

it('64 requests at most begin in one turn of the event loop, and all of them in order', async () => {
  const inTurn = makeTurns()
  const begun: number[] = []
  for (const at of range(1, 200)) inTurn(() => begun.push(at))
  expect(begun).toStrictEqual(range(1, 64))
  for (let before = 64; before < 200; before = begun.length) {
    await nextTurn()
    expect(begun.length - before).toBeLessThanOrEqual(64)
  }
  expect(begun).toStrictEqual(range(1, 200))
})

const makeServing = (): Serving => ({
  serve: () => expect.unreachable(),
  inTurn: makeTurns(),
  refuse: { exchange: () => expect.unreachable(), connection: () => expect.unreachable() },
  failureOf: () => undefined,
  connections: new Map(),
  lingerMs: 0,
  isEnding: false,
})

it('a request that is answered is no request ahead, although its end is not settled yet', () => {
  const socket = new Socket()
  const exchange = () => {
    const request = new IncomingMessage(socket)
    return { request, response: new ServerResponse(request) }
  }
  const serving = makeServing()
  const connection: Connection = {
    wire: new Wire(socket, () => true, expect.unreachable),
    serving,
    exchange: exchange(),
    waiting: range(1, 7).map(exchange),
    isOver: false,
    lastWord: undefined,
    since: 0,
    isNew: false,
    unreadBytes: 0,
    unreadSince: 0,
  }
  serving.connections.set(socket, connection)
  connection.exchange?.response.end()
  const { request, response } = exchange()
  beginOn(serving)(request, response)
  expect({ isOver: connection.isOver, waiting: connection.waiting.length }).toStrictEqual({ isOver: false, waiting: 8 })
  socket.destroy()
})

it('the time of a request begins with its first byte, however long its connection was idle, and not with a later one', () => {
  const [socket, serving] = [new Socket(), makeServing()]
  openOn(createServer(), serving)(socket)
  const [connection] = [...serving.connections.values()]
  const limits = { requestTimeoutMs: 10_000, unreadTimeoutMs: 10_000, keepAliveMs: 10_000 }
  const lookAfterIdle = (text: string): void => {
    Object.assign(connection ?? {}, { isNew: false, isOver: false, since: -60_000 })
    socket.emit('data', Buffer.from(text))
    makeConnections(serving, limits).closeLate()
  }
  lookAfterIdle('GET / HTTP/1.1')
  expect(connection).toMatchObject({ isOver: false })
  // the request would be refused
  for (const text of ['\r\nX: y', 'z', '\r\n']) expect(() => lookAfterIdle(text)).toThrow('not to be reached')
  socket.destroy()
})

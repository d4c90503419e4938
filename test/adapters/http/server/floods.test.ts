// The valve against floods: one turn of the event loop parses at most one flood, whatever all clients send.
import { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { makeValve } from '../../../../src/adapters/http/server/valve.js'
import { range } from '../../../../src/testing/samples.js'
import { startHttp } from '../../../support/http/http-service.js'
import { accepted, readUntil } from '../../../support/http/raw.js'
import { get } from '../../../support/http/raw-requests.js'

const FLOODS = 20
/** Fits into one read of Node. */
const FLOOD = get('/').repeat(2_000)
/** The requests that open the valve, those of one read, and those that each connection may send ahead. */
const MAX_PER_TURN = 2_000 + 2_000 + 32 * (FLOODS + 2)

it('one turn parses at most one flood, every flood ends its connection, and another client is answered [connection]', async () => {
  // parsing them takes seconds on a busy machine
  const { http, port } = await startHttp({ requestTimeoutMs: 600_000 })
  const floods = []
  for (const _ of range(1, FLOODS)) floods.push(await accepted(http, port))
  const honest = await accepted(http, port)
  let [inTurn, most, total] = [0, 0, 0]
  http.server.on('request', () => {
    if (inTurn === 0) setImmediate(() => (inTurn = 0))
    inTurn += 1
    total += 1
    most = Math.max(most, inTurn)
  })
  // all of them arrive before the server reads any
  for (const { socket } of floods) socket.resume().write(FLOOD)
  const answer = readUntil(honest.socket, /\}$/)
  honest.socket.write(get('/health/live'))
  expect(await answer).toMatch(/^HTTP\/1\.1 200 OK/)
  await Promise.all(floods.map(({ closed }) => closed))
  expect(total).toBeGreaterThan(FLOODS * 1_000)
  expect(most).toBeLessThanOrEqual(MAX_PER_TURN)
  honest.socket.destroy()
  await nextTurn()
})

it('a connection that Node has paused, because its client reads nothing, stays paused', async () => {
  const { http, port } = await startHttp()
  const unread = await accepted(http, port)
  unread.socket.pause()
  const path = '/docs/swagger-ui-bundle.js'
  unread.socket.write(get(path).repeat(4))
  await expect.poll(() => unread.serverSide.writableNeedDrain).toBe(true)
  unread.socket.write(get(path))
  await expect.poll(() => unread.serverSide.isPaused()).toBe(true)
  const floods = []
  for (const _ of range(1, 3)) floods.push(await accepted(http, port))
  for (const { socket } of floods) socket.resume().write(FLOOD)
  await Promise.all(floods.map(({ closed }) => closed))
  await nextTurn()
  expect(unread.serverSide.isPaused()).toBe(true)
})

it('a socket that a flood has paused is resumed once: later, Node may pause it, because its client does not read', async () => {
  const [socket, other] = [new Socket(), new Socket()]
  const countExcess = makeValve(new Map([socket, other].map((one) => [one, { socket: one }])))
  const flood = async (): Promise<void> => {
    for (let excess = 0; excess < 2_000; excess += 1) countExcess()
    expect(other.isPaused()).toBe(true)
    await nextTurn()
    expect(other.isPaused()).toBe(false)
  }
  await flood()
  expect(socket.isPaused()).toBe(false)
  socket.pause()
  await flood()
  expect(socket.isPaused()).toBe(true)
})

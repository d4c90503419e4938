import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { NO_LOAD } from '../../../../src/adapters/http/handle.js'
import { makeResponseWriter } from '../../../../src/adapters/http/koa/middleware.js'
import type { Reply } from '../../../../src/adapters/http/messages/message.js'
import { get } from '../../../support/http/raw-requests.js'
import { startListening } from '../../../support/network/start-listening.js'

/** More than the kernel buffers for a client that does not read. */
const LARGE = 20_000_000

/** Resolves once part of the response is on its way to a client that reads nothing. */
const respondUnread = async (body: Reply['body']) => {
  const load = { ...NO_LOAD }
  const write = makeResponseWriter(load, new AbortController().signal)
  const server = createServer((request, response) => {
    void write({ req: request, res: response }, { reply: { status: 200, headers: [], body }, requestId: 'r1' })
  })
  const port = await startListening(server)
  const written = once(server, 'request') as Promise<[IncomingMessage]>
  const socket = connect(port, '127.0.0.1').pause()
  onTestFinished(() => void socket.destroy())
  socket.write(get('/'))
  const [{ socket: serverSide }] = await written
  await expect.poll(() => serverSide.writableLength).toBeGreaterThan(0)
  return { load, socket }
}

it.each<[string, string | Uint8Array, number]>([
  ['a text', 'x'.repeat(LARGE), LARGE],
  ['a text with more bytes than characters', 'ë'.repeat(LARGE / 2), LARGE],
  ['a file, which all responses share', new Uint8Array(LARGE), 0],
])('%s counts while it is unread [overload]', async (_, body, bytes) => {
  const { load, socket } = await respondUnread(body)
  expect(load.unreadBytes).toBe(bytes)
  socket.destroy()
  await expect.poll(() => load.unreadBytes).toBe(0)
})

it('a stream makes no part before the client has taken the one before, which counts [feed-listeners overload]', async () => {
  let made = 0
  const parts = async function* () {
    for (;;) {
      made += 1
      yield new Uint8Array(LARGE)
    }
  }
  const { load, socket } = await respondUnread(parts())
  expect([made, load.unreadBytes]).toStrictEqual([1, LARGE])
  socket.resume()
  await expect.poll(() => made).toBeGreaterThan(2)
  expect(load.unreadBytes).toBe(LARGE)
  socket.destroy()
  await expect.poll(() => load.unreadBytes).toBe(0)
})

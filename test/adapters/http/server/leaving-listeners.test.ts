// Listeners that leave. The clock stands still, so no heartbeat reveals that a client is gone.
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startHttp } from '../../../support/http/http-service.js'
import { listen } from '../../../support/http/listen.js'
import { accepted, readUntil } from '../../../support/http/raw.js'
import { authorization, get } from '../../../support/http/raw-requests.js'
import { eventually } from '../../../support/runner/eventually.js'
import { makeGate } from '../../../support/runner/gate.js'

type RequestText = (lines: string) => string

const listening: RequestText = (lines) => get('/v1/events', lines)
const LIVE = get('/health/live')

const REQUESTS: readonly (readonly [name: string, text: RequestText])[] = [
  ['alone', listening],
  ['a broken chunk behind', (lines) => `${listening(`Transfer-Encoding: chunked\r\n${lines}`)}zz\r\n`],
  ['another request before', (lines) => LIVE + listening(lines)],
  ['another request behind', (lines) => listening(lines) + LIVE],
  ['a large body', (lines) => listening(`Content-Length: 300000\r\n${lines}`) + ' '.repeat(300_000)],
  ['an upgrade', (lines) => listening(`Connection: upgrade\r\nUpgrade: a\r\n${lines}`)],
]

const LEAVES: readonly (readonly [name: string, leave: (socket: Socket) => unknown])[] = [
  ['an end', (socket) => socket.end()],
  ['a reset', (socket) => socket.resetAndDestroy()],
]

const CASES = LEAVES.flatMap(([how, leave]) => REQUESTS.map(([what, text]) => [how, what, leave, text] as const))

/** A service with room for one listener, whose stream begins once `begin` is called, and its client. */
const start = async (text: RequestText) => {
  const gate = makeGate()
  const service = await startHttp({
    settings: { maxStreams: 1 },
    replace: ({ log }) => ({ log: { ...log, head: () => gate.pass().then(() => log.head()) } }),
  })
  const { socket } = await accepted(service.http, service.port)
  const started = readUntil(socket, /retry: 1000\n/)
  started.catch(() => undefined)
  socket.write(text(`Accept: text/event-stream\r\n${authorization(service.key)}`))
  await gate.entered(1)
  const expectFree = () => eventually(async () => expect((await listen(service.url, service.key)).status).toBe(200))
  /** After this, the service has noticed whatever the client did before. */
  const settle = () => service.anonymous('GET', '/health/live')
  return { ...service, socket, begin: gate.open, started, settle, expectFree }
}

it.each(CASES)(
  'a listener that leaves before its stream begins takes no place: by %s, %s [feed-listeners]',
  async (_how, _what, leave, text) => {
    const { socket, begin, settle, expectFree } = await start(text)
    leave(socket)
    await settle()
    begin()
    await expectFree()
  },
)

describe('a listener that leaves its stream', () => {
  // a broken chunk is refused earlier
  it.each(CASES.filter(([, what]) => what !== 'a broken chunk behind'))(
    'gives up its place: by %s, %s [feed-listeners]',
    async (_how, _what, leave, text) => {
      const { socket, begin, started, expectFree, url, key } = await start(text)
      begin()
      await started
      expect((await listen(url, key)).status).toBe(503)
      leave(socket)
      await expectFree()
    },
  )

  it.each([
    ['requests in several packets', [LIVE, LIVE, LIVE]],
    ['more than a socket holds', ['x'.repeat(8_000_000)]],
  ])('gives up its place although it has sent more meanwhile: %s [feed-listeners]', async (_, texts) => {
    const { socket, begin, started, settle, expectFree, requestLines } = await start(listening)
    begin()
    await started
    for (const text of texts) {
      socket.write(text)
      await settle()
    }
    socket.end()
    await expectFree()
    // one response per request, and ours, since a stream is the last response of its connection
    await eventually(() =>
      expect(requestLines().filter(({ route }) => route === '/health/live')).toHaveLength(texts.length),
    )
  })
})

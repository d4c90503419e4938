// Clients that send slowly: the server closes their connections in time, and other clients do not notice.
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { authorization, get, post } from '../support/http/raw-requests.js'
import { describeAttacks } from './attack.js'
import type { Target } from './target.js'

const SLOW_SENDERS = 1_000
/** REQUEST_TIMEOUT_SECONDS is 10, and a head gets half of it; the server checks once per second. */
const HEADS_ENDED_WITHIN_MS = 10_000
const BODIES_ENDED_WITHIN_MS = 15_000

/** Sends the text up to the marker at once, then a byte per second, until the server has ended all connections. */
const sendSlowly = async ({ open }: Target, text: string, marker: string, withinMs: number): Promise<void> => {
  const start = performance.now()
  const sockets = new Set(await Promise.all(Array.from({ length: SLOW_SENDERS }, open)))
  const sentAtOnce = text.indexOf(marker) + marker.length
  for (const socket of sockets) {
    const forget = (): void => void sockets.delete(socket)
    socket.once('end', forget).once('close', forget).resume().write(text.slice(0, sentAtOnce))
  }
  for (let sent = sentAtOnce; sockets.size > 0; sent += 1) {
    expect(performance.now() - start).toBeLessThan(withinMs)
    await pause(1_000)
    for (const socket of sockets) socket.write(text.charAt(sent))
  }
}

const BUNDLE = get('/docs/swagger-ui-bundle.js')
/** Far more bytes than the kernel buffers for a connection. */
const BUNDLES = 30
const READER_PAUSE_MS = 18_000
const READER_PAUSES = 2
/** Responses between them, together megabytes: only then does the kernel announce more room to the sender. */
const READ_BETWEEN = 8

/** The statuses of the responses for a client that pauses its reading twice. */
const readWithPauses = async ({ open }: Target): Promise<readonly string[]> => {
  const socket = await open()
  const statuses: string[] = []
  let [pauses, end] = [0, '']
  socket.on('data', (chunk) => {
    const text = end + chunk.toString('latin1')
    statuses.push(...[...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status))
    // a chunk may end within a status line, and never counts one twice
    end = /H[^ ]*(?: \d{0,3})?$/.exec(text.slice(-12))?.[0] ?? ''
    if (pauses === READER_PAUSES || statuses.length <= pauses * READ_BETWEEN) return
    pauses += 1
    socket.pause()
    setTimeout(() => socket.resume(), READER_PAUSE_MS)
  })
  const ended = new Promise((resolve) => socket.once('end', resolve).once('close', resolve))
  socket.write(BUNDLE.repeat(BUNDLES) + get('/health/live', 'Connection: close\r\n'))
  await ended
  return statuses
}

// places for all slow bodies: they hold theirs for as long as they may take (docs/security.md)
describeAttacks('slow clients', { MAX_IN_FLIGHT: '2000' }, [
  {
    attack: `at once ${SLOW_SENDERS} heads and ${SLOW_SENDERS} bodies of a byte per second`,
    holds: 'each is closed in time, and a client that reads with pauses gets everything',
    run: async (target) => {
      const [statuses] = await Promise.all([
        readWithPauses(target),
        sendSlowly(target, get('/v1/pets', authorization(target.key)), 'G', HEADS_ENDED_WITHIN_MS),
        sendSlowly(target, post(target.key), '\r\n\r\n', BODIES_ENDED_WITHIN_MS),
      ])
      expect(statuses).toStrictEqual(Array.from({ length: BUNDLES + 1 }, () => '200'))
    },
  },
])

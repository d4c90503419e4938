// The server closes the connections of slow senders in time, and other clients are unaffected.
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { authorization, get, post } from '../support/http/raw-requests.js'
import { describeAttacks } from './attack.js'
import type { Target } from './target.js'

const SLOW_SENDERS = 1_000
/** REQUEST_TIMEOUT_SECONDS is 10, and a request's headers get half of it; the server checks once per second. */
const HEADS_ENDED_WITHIN_MS = 10_000
const BODIES_ENDED_WITHIN_MS = 15_000

/** Sends the text up to the marker at once, then one byte per second until the server has closed every connection. */
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

// Slots for all slow bodies, because each holds its slot until its timeout (docs/security.md)
describeAttacks('slow clients', { MAX_IN_FLIGHT: '2000' }, [
  {
    attack: `at once ${SLOW_SENDERS} heads and ${SLOW_SENDERS} bodies of a byte per second`,
    holds: 'each is closed in time',
    run: async (target) => {
      await Promise.all([
        sendSlowly(target, get('/v1/pets', authorization(target.key)), 'G', HEADS_ENDED_WITHIN_MS),
        sendSlowly(target, post(target.key), '\r\n\r\n', BODIES_ENDED_WITHIN_MS),
      ])
    },
  },
])

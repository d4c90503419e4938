// Connections that hardly send: the server ends them in time, and they cost nobody else anything.
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Attack, describeAttacks } from './attack.js'
import { openSockets } from './process-status.js'
import { authorization, get, post } from './requests.js'

const CONNECTIONS = 1_000
const TRICKLE_MS = 1_000
/** REQUEST_TIMEOUT_SECONDS is 10 and a head gets half of it; the rest is for a check per second, and for lingering. */
const HEAD_GONE_WITHIN_MS = 10_000
const BODY_GONE_WITHIN_MS = 15_000

/** Sends the text of a request up to the marker at once. */
const slowly = (part: string, textOf: (key: string) => string, marker: string, goneWithinMs: number): Attack => ({
  attack: `${CONNECTIONS} connections that send a byte of the ${part} per second`,
  holds: `all are closed within ${goneWithinMs} ms`,
  run: async ({ key, open, service }) => {
    const text = textOf(key)
    const sentAtOnce = text.indexOf(marker) + marker.length
    const before = openSockets(service.pid)
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, open))
    for (const socket of sockets) socket.resume().write(text.slice(0, sentAtOnce))
    const start = performance.now()
    for (let sent = sentAtOnce; openSockets(service.pid) - before > CONNECTIONS / 100; sent += 1) {
      expect(performance.now() - start).toBeLessThan(goneWithinMs)
      await pause(TRICKLE_MS)
      for (const socket of sockets) if (socket.writable) socket.write(text.charAt(sent))
    }
  },
})

describeAttacks('slow sockets', {}, [
  slowly('head', (key) => get('/v1/pets', authorization(key)), 'G', HEAD_GONE_WITHIN_MS),
  slowly('body', (key) => post(key), '\r\n\r\n', BODY_GONE_WITHIN_MS),
])

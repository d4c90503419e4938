import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { INFO, openHostileBroker } from '../../support/nats/hostile-broker.js'
import { failed, makeEvent, openPublisher } from '../../support/nats/nats-publisher.js'
import { startListening } from '../../support/network/start-listening.js'
import { eventually } from '../../support/runner/eventually.js'

/** The limit, and what the kernel's buffers of both ends hold. */
const SOME_BYTES = 16 * 1_048_576

describe('a broker that sends without end', () => {
  it.each([
    ['a first line', { greeting: 'INFO {"a":"', endless: 'a' }],
    ['a message', { greeting: INFO, afterPing: 'MSG x 1 60000000\r\n', endless: 'a' }],
    ['pings', { greeting: INFO, afterPing: '', endless: 'PING\r\n' }],
    ['small messages', { greeting: INFO, afterPing: '', endless: 'MSG x 1 1\r\na\r\n' }],
  ])('is cut off after a bounded number of bytes, each time: %s', async (_, bomb) => {
    const { url, cuts } = await openHostileBroker(bomb)
    const { publisher, publish, notices } = openPublisher(url)
    await eventually(() => expect(cuts.length).toBeGreaterThan(1))
    expect(Math.max(...cuts)).toBeLessThan(SOME_BYTES)
    expect(notices.map(({ details }) => details['reason'])).toContain(
      'ConnectionError: more than 1048576 bytes without a request',
    )
    await eventually(() => expect(publisher.isConnected()).toBe(false))
    expect(await publish(makeEvent(1))).toStrictEqual([failed])
  })
})

it('a broker gets one answer to the pings that come together, each time', async () => {
  const pongs: number[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write(INFO)
    socket.on('data', (bytes) => {
      const text = String(bytes)
      if (text.includes('PING')) socket.write('PONG\r\nPING\r\nPING\r\n')
      const count = text.split('PONG\r\n').length - 1
      if (count === 0) return
      pongs.push(count)
      if (pongs.length < 4) socket.write('PING\r\n'.repeat(3))
    })
  })
  openPublisher(`nats://127.0.0.1:${await startListening(server)}`)
  await eventually(() => expect(pongs).toStrictEqual([1, 1, 1, 1]))
})

// Detects the first answer of a server, to the millisecond and at almost no cost.
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const INTERVAL_MS = 2
const QUESTION = 'GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(QUESTION))
    socket.once('data', (chunk) => {
      resolve(chunk.toString().startsWith('HTTP/1.1 200'))
      socket.destroy()
    })
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })

export const untilReady = async (port: number, signal: AbortSignal): Promise<void> => {
  while (!(await isReady(port))) await pause(INTERVAL_MS, undefined, { signal })
}

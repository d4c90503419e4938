// A broker that greets like a server, then sends the same bytes for as long as it can.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { startListening } from '../network/start-listening.js'

export const INFO = `INFO ${JSON.stringify({ server_id: 'X', version: '2.10.0', proto: 1, headers: true, max_payload: 1_048_576 })}\r\n`

const sendForever = async (socket: Socket, bytes: string): Promise<void> => {
  const chunk = Buffer.from(bytes.repeat(Math.ceil(65_536 / bytes.length)))
  const closed = once(socket, 'close')
  while (!socket.destroyed) {
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), closed])
  }
}

interface Bomb {
  readonly greeting: string
  /** Sent once the client is connected; without it, `endless` follows the greeting. */
  readonly afterPing?: string
  readonly endless: string
}

/** Lists the bytes of each connection that the client has cut. */
export const openHostileBroker = async ({ greeting, afterPing, endless }: Bomb) => {
  const cuts: number[] = []
  const server = createServer((socket) => {
    let isFlooding = false
    const flood = (): void => {
      if (!isFlooding) void sendForever(socket, endless).catch(() => {})
      isFlooding = true
    }
    socket.on('error', () => {})
    socket.on('close', () => cuts.push(socket.bytesWritten))
    socket.write(greeting)
    if (afterPing === undefined) flood()
    socket.on('data', (bytes) => {
      if (afterPing === undefined || isFlooding || !bytes.includes('PING')) return
      socket.write(`PONG\r\n${afterPing}`)
      flood()
    })
  })
  return { url: `nats://127.0.0.1:${await startListening(server)}`, cuts }
}

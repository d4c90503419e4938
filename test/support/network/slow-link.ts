// A TCP proxy that delays replies, so that a test can act after the server has done its work and before the client knows it.
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { startListening } from './start-listening.js'

/** Its port, until the test ends. */
export const openSlowLink = async (target: number, replyDelay: number): Promise<number> => {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    client.pipe(upstream)
    upstream.on('data', (reply) => setTimeout(() => client.writable && client.write(reply), replyDelay))
  })
  const port = await startListening(server)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  return port
}

// Ends the connections of clients that do not read their responses, also of those that keep sending meanwhile.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Looks at an unread response within `timeoutMs`. */
const CHECKS = 10

/** Node counts here what of a long write has not left yet, and nowhere else; its types lack it. */
interface Queue {
  readonly _handle?: { readonly writeQueueSize: number } | null
}

interface Unread {
  readonly written: number
  readonly queued: number
  /** In milliseconds on the monotonic clock. */
  readonly since: number
}

/** Destroys each socket from whose unread bytes nothing has been taken for this time. */
export const endUnread = (
  server: Server,
  connections: ReadonlyMap<unknown, { readonly socket: Socket }>,
  timeoutMs: number,
): void => {
  const unread = new WeakMap<Socket, Unread>()
  const check = (socket: Socket, now: number): void => {
    if (socket.writableLength === 0) {
      unread.delete(socket)
      return
    }
    const [written, queued] = [socket.bytesWritten, (socket as Queue)._handle?.writeQueueSize ?? 0]
    const last = unread.get(socket)
    if (last?.written !== written || last.queued !== queued) unread.set(socket, { written, queued, since: now })
    else if (now - last.since >= timeoutMs) socket.destroy()
  }
  const timer = setInterval(
    () => {
      const now = performance.now()
      for (const { socket } of connections.values()) check(socket, now)
    },
    Math.ceil(timeoutMs / CHECKS),
  ).unref()
  server.once('close', () => clearInterval(timer))
}

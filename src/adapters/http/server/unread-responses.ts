// Ends connections whose client leaves a response unread, which Node would keep for as long as the client likes.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Number of checks of an unread response within the timeout. */
const CHECKS = 10
/** How late a busy event loop may run one of these checks. */
const LATENESS_MS = 100

interface Unread {
  /** Start of the current unread period. */
  readonly since: number
  readonly checkedAt: number
}

/** Takes over the socket timeout of the server. Idle connections still end by the timeout that Node gives them. */
export const endUnread = (server: Server, timeoutMs: number, isIdle: (socket: Socket) => boolean): void => {
  // Node restarts this timer whenever bytes move, but sees progress within one long write only when the timer fires.
  // Checks shorter than the timeout therefore measure how long a response has been unread, to within one check.
  const checkMs = Math.ceil(timeoutMs / CHECKS)
  const unread = new WeakMap<Socket, Unread>()

  server.setTimeout(checkMs, (socket) => {
    const isUnread = socket.writableLength > 0
    if (!isUnread && isIdle(socket) && socket.timeout !== checkMs) {
      socket.destroy()
      return
    }
    const now = performance.now()
    const last = unread.get(socket)
    // more time since the last check means that bytes have moved
    const isContinued = isUnread && last !== undefined && now - last.checkedAt <= 1.5 * checkMs + LATENESS_MS
    const since = isContinued ? last.since : now - checkMs
    unread.set(socket, { since, checkedAt: now })
    if (isUnread && now - since >= timeoutMs) socket.destroy()
    else socket.setTimeout(checkMs)
  })
}

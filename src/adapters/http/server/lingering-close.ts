// Ends a connection so that its last response arrives.
import type { Duplex } from 'node:stream'

/** Milliseconds for a client to read its last response before the connection is destroyed. */
const LINGER_MS = 1_000

/**
 * Ends our side but reads on for a while: to close at once would reset the connection, and the reset would take the response
 * away from a client that is still sending (RFC 9112 §9.6).
 */
export const lingeringClose = (socket: Duplex, lastWords = ''): void => {
  socket.end(lastWords)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(timer))
}

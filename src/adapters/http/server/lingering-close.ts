// Closes a connection without losing its last response.
import type { Duplex } from 'node:stream'

/** Time for a client to read its last response before the connection is destroyed. */
const LINGER_MS = 1_000

/**
 * Closes our side, but keeps reading for a while. An immediate close would reset the connection, and a client that is still
 * sending would lose the response (RFC 9112 §9.6).
 */
export const lingeringClose = (socket: Duplex, lastWords = ''): void => {
  socket.end(lastWords)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(timer))
}

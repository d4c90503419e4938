// Joins the chunks of a body in one growing buffer: Node makes a Buffer of each chunk that was sent, and a reader that keeps them all
// would need 72 times the bytes of a body in chunks of one byte.
import type { IncomingMessage } from 'node:http'

export interface Joined {
  /** False, and nothing is added, if there would be more than the limit. */
  readonly add: (chunk: Uint8Array) => boolean
  readonly bytes: () => Uint8Array
}

/** Takes at most twice the limit, however many chunks there are. A lone chunk is not copied. */
export const makeJoined = (maxBytes: number): Joined => {
  let buffer: Uint8Array = new Uint8Array()
  let size = 0
  return {
    add: (chunk) => {
      const needed = size + chunk.length
      if (needed > maxBytes) return false
      if (size === 0) {
        buffer = chunk
      } else {
        if (needed > buffer.length) {
          const grown = new Uint8Array(Math.min(maxBytes, Math.max(needed, 2 * buffer.length)))
          grown.set(buffer.subarray(0, size))
          buffer = grown
        }
        buffer.set(chunk, size)
      }
      size = needed
      return true
    },
    bytes: () => buffer.subarray(0, size),
  }
}

/** A request whose body of up to this size arrives as one chunk, once somebody reads. */
export const joinedUpTo = (maxBytes: number, Message: typeof IncomingMessage): typeof IncomingMessage =>
  class extends Message {
    private joined: Joined | undefined
    private isRead = false

    override _read(size: number): void {
      this.isRead = true
      super._read(size)
    }

    override push(chunk: Uint8Array | null): boolean {
      if (chunk !== null) {
        this.joined ??= makeJoined(maxBytes)
        if (this.joined.add(chunk)) return this.isRead
      }
      // the end; or beyond the limit: a reader gets all that there is, and finds the body too large at once
      const before = this.joined?.bytes()
      this.joined = chunk === null ? undefined : makeJoined(0)
      if (before !== undefined && before.length > 0) super.push(before)
      return super.push(chunk)
    }
  }

// Joins the chunks of a body in one growing buffer. Node makes one Buffer per chunk, so keeping them all would take
// 72 times the size of a body sent in chunks of one byte.
import type { IncomingMessage } from 'node:http'
import type { HttpFailure } from '../failures.js'

export interface ServedRequest extends IncomingMessage {
  /**
   * Set by the reader of the body, which knows the route and the caller: responds because the rest of the body is
   * malformed or late.
   */
  refuseBody?: ((failure: HttpFailure) => void) | undefined
}

export interface Joined {
  /** Returns false, and adds nothing, if that would exceed the limit. */
  readonly add: (chunk: Uint8Array) => boolean
  readonly bytes: () => Uint8Array
}

/** Uses at most twice the limit, in bytes, for any number of chunks. A single chunk is not copied. */
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

/** A request class that delivers a body of up to `maxBytes` as one chunk. */
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
      // at the end, or beyond the limit: then the reader gets everything so far and finds the body too large at once
      const before = this.joined?.bytes()
      this.joined = chunk === null ? undefined : makeJoined(0)
      if (before !== undefined && before.length > 0) super.push(before)
      return super.push(chunk)
    }
  }

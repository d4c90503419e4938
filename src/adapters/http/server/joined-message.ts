// A request whose body arrives as one chunk: Node makes a Buffer of each chunk that was sent, and a reader that keeps them all would
// need 72 times the bytes of a body in chunks of one byte.
import { IncomingMessage } from 'node:http'
import { type Joined, makeJoined } from '../messages/joined.js'

const NOTHING = new Uint8Array()

/** Copies the chunks of a body of up to this size as they arrive, whatever their number; they come only once somebody reads. */
export const joinedUpTo = (maxBytes: number): typeof IncomingMessage =>
  class extends IncomingMessage {
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
      const before = this.joined?.bytes() ?? NOTHING
      this.joined = chunk === null ? undefined : makeJoined(0)
      if (before.length > 0) super.push(before)
      return super.push(chunk)
    }
  }

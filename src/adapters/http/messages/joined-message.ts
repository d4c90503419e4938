// A request whose body arrives as one chunk: Node makes a Buffer of each chunk that was sent, and a reader that keeps them all would
// need 72 times the bytes of a body in chunks of one byte.
import { IncomingMessage } from 'node:http'
import { type Joined, makeJoined } from './joined.js'

export class JoinedMessage extends IncomingMessage {
  /** Bytes of the body that have been parsed. */
  bodyBytes = 0
  /** The chunks that they came in. */
  chunks = 0
  private joined: Joined | undefined

  protected limit(): number {
    return 0
  }

  override push(chunk: Uint8Array | null): boolean {
    if (chunk !== null) {
      this.bodyBytes += chunk.length
      this.chunks += 1
      this.joined ??= makeJoined(this.limit())
      // with what is beyond the limit, a reader finds the body too large
      return this.joined.add(chunk) || super.push(chunk)
    }
    if (this.joined !== undefined) super.push(this.joined.bytes())
    this.joined = undefined
    return super.push(null)
  }
}

/** Joins bodies up to this size. */
export const joinedUpTo = (maxBytes: number): typeof JoinedMessage =>
  class extends JoinedMessage {
    protected override limit(): number {
      return maxBytes
    }
  }

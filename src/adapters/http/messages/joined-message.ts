// A request whose body arrives as one chunk: Node makes a Buffer of each chunk that was sent, and a reader that keeps them all would
// need 72 times the bytes of a body in chunks of one byte.
import { IncomingMessage } from 'node:http'
import { type Joined, makeJoined } from './joined.js'

const NOTHING = new Uint8Array()

class JoinedMessage extends IncomingMessage {
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
      if (this.joined.add(chunk)) return true
      // beyond the limit, a reader gets all that there is, and finds the body too large at once
      const before = this.joined.bytes()
      this.joined = makeJoined(0)
      if (before.length > 0) super.push(before)
      return super.push(chunk)
    }
    const rest = this.joined?.bytes() ?? NOTHING
    if (rest.length > 0) super.push(rest)
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

/** Chunks of any size that a body may have. */
const FREE_CHUNKS = 256
/** The average size of a chunk, at least, if there are more. */
const LEAST_BYTES = 5

/** Bytes on the wire that a request may have, apart from these for each byte of its body: chunks may have extensions (RFC 9112 §7.1.1). */
const FREE_WIRE_BYTES = 65_536
const MOST_WIRE_BYTES = 8

/** Whether the client sends far more than its body needs. */
export const isWasteful = (request: IncomingMessage, wireBytes: number): boolean =>
  request instanceof JoinedMessage &&
  (request.chunks > FREE_CHUNKS + request.bodyBytes / LEAST_BYTES ||
    wireBytes > FREE_WIRE_BYTES + request.bodyBytes * MOST_WIRE_BYTES)

/** Bytes that have not been parsed of an incomplete body with a length. */
export const bodyLeft = (request: IncomingMessage): number =>
  Math.max(1, Number(request.headers['content-length']) - (request instanceof JoinedMessage ? request.bodyBytes : 0))

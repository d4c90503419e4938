// Writes replies to responses of Node's server: those that are ready in the same turn of the event loop together, and streams
// as fast as their clients read.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { headersOf, type Reply, type ReplyStream } from './message.js'
import { inTurn } from './turns.js'

interface ReadyResponse {
  readonly response: ServerResponse
  /** Undefined: only the head is sent. */
  readonly body: string | Uint8Array | undefined
  readonly encoding: BufferEncoding
}

/** Maximum number of responses that wait for each other. */
const FULL_BATCH = 32

/** The largest part of a file that is handed to the socket at once. */
const PART_BYTES = 32_768

let batch: ReadyResponse[] = []

/** Sends a part, and the next one in a later turn, once the client has taken this one. */
const sendParts = (response: ServerResponse, body: Uint8Array, at = 0): void => {
  const end = at + PART_BYTES
  if (response.destroyed) return
  if (end >= body.length) response.end(body.subarray(at))
  else if (response.write(body.subarray(at, end))) inTurn(() => sendParts(response, body, end))
  else response.once('drain', () => inTurn(() => sendParts(response, body, end)))
}

const send = ({ response, body, encoding }: ReadyResponse): void => {
  // the client may have gone meanwhile
  if (response.destroyed) return
  if (typeof body === 'object' && body.length > PART_BYTES) {
    sendParts(response, body)
    return
  }
  if (body !== undefined) {
    // Node's `end(body)` would also send an empty text, and two texts take 2 µs more than one
    const { socket } = response
    socket?.cork()
    response.write(body, encoding)
    socket?.uncork()
  }
  response.end()
}

const sendBatch = (): void => {
  const ready = batch
  batch = []
  for (const one of ready) {
    try {
      send(one)
    } catch {
      // the other responses of the batch must not suffer
      one.response.destroy()
    }
  }
}

/** Sending responses back to back takes 15 µs less per response than reading the next request in between. */
const sendSoon = (one: ReadyResponse): void => {
  if (batch.length === 0) setImmediate(sendBatch)
  batch.push(one)
  if (batch.length === FULL_BATCH) sendBatch()
}

/** Returns the number of body bytes sent: 0 for HEAD. */
export const writeReply = (
  request: Pick<IncomingMessage, 'method' | 'complete'>,
  response: ServerResponse,
  reply: Reply,
  requestId: string,
): number => {
  // a large text is encoded once, and lives outside of the heap while its client reads it
  const body = typeof reply.body === 'string' && reply.body.length > PART_BYTES ? Buffer.from(reply.body) : reply.body
  const bytes = body === undefined ? 0 : Buffer.byteLength(body)
  // whether its client would still send it is unknown, and it is no request
  if (!request.complete) response.shouldKeepAlive = false
  response.writeHead(reply.status, headersOf(reply, requestId, bytes))
  const isSent = request.method !== 'HEAD' && body !== undefined
  // a text with as many bytes as characters is ASCII, which is the same in Latin-1, and that is encoded faster
  const encoding = bytes === body?.length ? 'latin1' : 'utf8'
  sendSoon({ response, body: isSent ? body : undefined, encoding })
  return isSent ? bytes : 0
}

/** Resolves when the socket has room for more or is closed, or when the service stops. */
const roomIn = (response: ServerResponse, stopping: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done)
      stopping.removeEventListener('abort', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
    stopping.addEventListener('abort', done)
    if (response.destroyed || stopping.aborted) done()
  })

/** Resolves to the number of body bytes, once the stream has ended. A client that does not read is cut when the service stops. */
export const writeStream = async (
  response: ServerResponse,
  reply: Reply,
  { parts, close }: ReplyStream,
  { requestId, stopping }: { readonly requestId: string; readonly stopping: AbortSignal },
): Promise<number> => {
  const { socket } = response.req
  let bytes = 0
  response.once('close', close)
  // a client that only closes its sending side has left too, perhaps before the stream began
  socket.once('end', close)
  if (response.destroyed || socket.readableEnded) close()
  response.shouldKeepAlive = false
  try {
    response.writeHead(reply.status, headersOf(reply, requestId, 0))
    // whatever the client sends behind its request: behind that is its end
    socket.resume()
    for await (const part of parts) {
      if (response.destroyed) break
      bytes += part.length
      if (!response.write(part)) await roomIn(response, stopping)
    }
    if (response.writableNeedDrain) response.destroy()
    else response.end()
    return bytes
  } catch (cause) {
    // its client must not take the stream for whole, nor wait for the rest
    response.destroy()
    throw cause
  } finally {
    socket.off('end', close)
    close()
  }
}

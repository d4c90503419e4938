// Writes replies to responses of Node's server: those that are ready in the same turn of the event loop together, and streams
// as fast as their clients read.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Load } from '../handle.js'
import { headersOf, isStream, type Reply } from '../messages/message.js'

/** Maximum number of responses that wait for each other. */
const FULL_BATCH = 32

/** The largest part of a body that is handed to the socket at once: that a client takes one within half a minute shows that it reads. */
const PART_BYTES = 65_536

const sendParts = (response: ServerResponse, body: Uint8Array, at: number): void => {
  const end = at + PART_BYTES
  if (response.destroyed) return
  if (end >= body.length) response.end(body.subarray(at))
  else if (response.write(body.subarray(at, end))) sendParts(response, body, end)
  else response.once('drain', () => sendParts(response, body, end))
}

/** `body`: undefined if only the head is sent. The response is the last of its connection unless all of the request has arrived. */
const sendNow = (
  { complete }: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: string[],
  body: string | Uint8Array | undefined,
  encoding: BufferEncoding,
): void => {
  const { socket } = response
  // the client may have gone meanwhile, or the rest of the request was malformed or late
  if (response.destroyed || response.headersSent || socket === null) return
  // whether its client would still send it is unknown, and it is no request
  if (!complete) headers.push('Connection', 'close')
  response.writeHead(status, headers)
  if (typeof body === 'object' && body.length > PART_BYTES) {
    sendParts(response, body, 0)
    return
  }
  if (body !== undefined) {
    // Node's `end(body)` would also send an empty text, and two texts take 2 µs more than one
    socket.cork()
    response.write(body, encoding)
    socket.uncork()
  }
  response.end()
}

/** Returns the number of body bytes sent, 0 for HEAD; undefined if the request has got another reply meanwhile. */
type WriteResponse = (
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  requestId: string,
) => number | undefined | Promise<number>

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
  body: AsyncIterable<Uint8Array>,
  stopping: AbortSignal,
): Promise<number> => {
  let bytes = 0
  const parts = body[Symbol.asyncIterator]()
  const leave = (): void => void parts.return?.()
  response.once('close', leave)
  if (response.destroyed) leave()
  try {
    for (let part = await parts.next(); part.done !== true && !response.destroyed; part = await parts.next()) {
      bytes += part.value.length
      if (!response.write(part.value)) await roomIn(response, stopping)
    }
    if (response.writableNeedDrain) response.destroy()
    else response.end()
    return bytes
  } catch (cause) {
    // its client must not take the stream for whole, nor wait for the rest
    response.destroy()
    throw cause
  } finally {
    leave()
  }
}

export const makeResponseWriter = (load: Load, stopping: AbortSignal): WriteResponse => {
  let batch: (() => void)[] = []

  const sendBatch = (): void => {
    const ready = batch
    batch = []
    for (const send of ready) send()
  }

  /**
   * Sending responses back to back takes 15 µs less per response than reading the next request in between. And then all has been
   * parsed that came with the head of the request.
   */
  const sendSoon = (send: () => void): void => {
    if (batch.length === FULL_BATCH) sendBatch()
    if (batch.length === 0) setImmediate(sendBatch)
    batch.push(send)
  }

  /** Counts what its client has not taken yet. A file counts for nothing: all responses share it. */
  const count = (response: ServerResponse, bytes: number): void => {
    if (bytes === 0 || response.writableLength === 0 || response.closed) return
    load.unreadBytes += bytes
    response.once('close', () => {
      load.unreadBytes -= bytes
    })
  }

  return (request, response, reply, requestId) => {
    // the rest of the request was malformed or late, so it was refused meanwhile
    if (response.headersSent) {
      if (isStream(reply.body)) void reply.body[Symbol.asyncIterator]().return?.()
      return undefined
    }
    const { status, body } = reply
    if (isStream(body)) {
      response.setHeader('Connection', 'close')
      response.writeHead(status, headersOf(reply, requestId, 0))
      // whatever the client sends behind its request: behind that is its end
      request.resume()
      return writeStream(response, body, stopping)
    }
    if (response.destroyed) return 0
    const bytes = body === undefined ? 0 : Buffer.byteLength(body)
    const headers = headersOf(reply, requestId, bytes)
    const isSent = request.method !== 'HEAD' && body !== undefined
    // a text with as many bytes as characters is ASCII, which is the same in Latin-1, and that is encoded faster
    const encoding = bytes === body?.length ? 'latin1' : 'utf8'
    sendSoon(() => {
      try {
        sendNow(request, response, status, headers, isSent ? body : undefined, encoding)
        count(response, isSent && typeof body === 'string' ? bytes : 0)
      } catch {
        // the other responses of the batch must not suffer
        response.destroy()
      }
    })
    return isSent ? bytes : 0
  }
}

// Writes a stream, or a large body in parts, to a response, as fast as its client reads.
import type { ServerResponse } from 'node:http'
import type { Load } from '../handle.js'

/** Bytes per write: a client that does not take one part within 30 s is considered to have stopped reading. */
export const PART_BYTES = 65_536

export const sendParts = (response: ServerResponse, body: Uint8Array, at: number): void => {
  const end = at + PART_BYTES
  if (response.destroyed) return
  if (end >= body.length) response.end(body.subarray(at))
  else if (response.write(body.subarray(at, end))) sendParts(response, body, end)
  else response.once('drain', () => sendParts(response, body, end))
}

/**
 * Resolves to the number of body bytes once the stream has ended. A part is made when the socket has taken the one
 * before it, which counts as unread until then. On a stop, disconnects clients that do not read.
 */
export const writeStream = async (
  response: ServerResponse,
  body: AsyncIterable<Uint8Array>,
  load: Pick<Load, 'unreadBytes'>,
  stopping: AbortSignal,
): Promise<number> => {
  let bytes = 0
  let unread = 0
  let goOn = (): void => {}
  const parts = body[Symbol.asyncIterator]()
  const taken = (): void => {
    load.unreadBytes -= unread
    unread = 0
    goOn()
  }
  const write = (part: Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      goOn = resolve
      unread += part.length
      load.unreadBytes += part.length
      response.write(part, taken)
      if (stopping.aborted) resolve()
    })
  const leave = (): void => {
    void parts.return?.()
    taken()
  }
  const stop = (): void => {
    if (unread > 0) response.destroy()
    goOn()
  }
  response.once('close', leave)
  stopping.addEventListener('abort', stop)
  try {
    for (let part = await parts.next(); part.done !== true && !response.destroyed; part = await parts.next()) {
      bytes += part.value.length
      await write(part.value)
    }
    response.end()
    return bytes
  } catch (cause) {
    // the client must neither take the stream for complete nor wait for the rest
    response.destroy()
    throw cause
  } finally {
    stopping.removeEventListener('abort', stop)
    void parts.return?.()
  }
}

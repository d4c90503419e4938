// Writes a stream, or a large body in parts, to a response, as fast as its client reads.
import type { ServerResponse } from 'node:http'

/** Bytes per write: a client that does not take one part within 30 s is considered to have stopped reading. */
export const PART_BYTES = 65_536

export const sendParts = (response: ServerResponse, body: Uint8Array, at: number): void => {
  const end = at + PART_BYTES
  if (response.destroyed) return
  if (end >= body.length) response.end(body.subarray(at))
  else if (response.write(body.subarray(at, end))) sendParts(response, body, end)
  else response.once('drain', () => sendParts(response, body, end))
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

/** Resolves to the number of body bytes once the stream has ended. On a stop, disconnects clients that do not read. */
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
    // the client must neither take the stream for complete nor wait for the rest
    response.destroy()
    throw cause
  } finally {
    leave()
  }
}

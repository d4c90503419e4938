// Writes a stream to a response of Node's server: the next part is made when the socket has room for it.
import type { ServerResponse } from 'node:http'
import { headersOf } from './headers.js'
import type { Reply, ReplyStream } from './reply.js'

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
  const { socket, req } = response
  let bytes = 0
  response.once('close', close)
  // a client that only closes its sending side has left too
  socket?.once('end', close)
  if (response.destroyed) close()
  // as for every reply: whether its client would still send the rest is unknown
  if (!req.complete) response.shouldKeepAlive = false
  try {
    response.writeHead(reply.status, headersOf(reply, requestId, 0))
    for await (const part of parts) {
      if (response.destroyed) break
      bytes += part.length
      if (!response.write(part)) await roomIn(response, stopping)
    }
    if (response.writableNeedDrain) response.destroy()
    else response.end()
    return bytes
  } finally {
    socket?.off('end', close)
    close()
  }
}

// Sends a reply as the response to a request.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { headersOf } from './headers.js'
import type { Reply } from './reply.js'

/** Gives the number of bytes of the body that it sends: none to HEAD. */
export const writeReply = (
  { method }: Pick<IncomingMessage, 'method'>,
  response: ServerResponse,
  reply: Reply,
  requestId: string,
): number => {
  const { status, body } = reply
  const bytes = body === undefined ? 0 : Buffer.byteLength(body)
  response.writeHead(status, headersOf(reply, requestId, bytes))
  if (body === undefined || method === 'HEAD') {
    response.end()
    return 0
  }
  // a text with as many bytes as characters is ASCII, which is the same in Latin-1, and that is encoded faster
  response.end(body, bytes === body.length ? 'latin1' : 'utf8')
  return bytes
}

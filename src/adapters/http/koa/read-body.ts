// Reads the body of a request. Our server joins the chunks of a body, so it mostly comes as one.
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import { type Body, INCOMPLETE } from '../handle.js'
import { makeJoined, type ServedRequest } from '../messages/joined.js'

/** Declared here, so that users of our middleware do not need Koa's types. */
export interface BodyContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/** Reads a body where other middleware looks for it; undefined if it cannot read this one. */
export type ParseBody = (context: BodyContext) => Promise<Body> | undefined

const READ_BEFORE: Body = E.left({
  _tag: 'Defect',
  cause: new Error('the body of the request was read before this middleware: mount it before any parser of bodies'),
})

export const makeReadBody = (maxBytes: number, parse?: ParseBody): ((context: BodyContext) => Promise<Body>) => {
  const tooLarge: Body = E.left({ _tag: 'PayloadTooLarge', maxBytes })

  const collect = (req: IncomingMessage, resolve: (body: Body) => void): void => {
    const joined = makeJoined(maxBytes)
    req.on('data', (chunk: Uint8Array) => {
      if (!joined.add(chunk)) resolve(tooLarge)
    })
    req.on('end', () => resolve(E.right(joined.bytes())))
    req.on('close', () => resolve(INCOMPLETE))
  }

  return async (context) => {
    const { req, res }: { req: ServedRequest; res: ServerResponse } = context
    if (req.readableDidRead) return READ_BEFORE
    if (req.destroyed || res.headersSent) return INCOMPLETE
    // also because the parser reads the length as 32 bits
    if (Number(req.headers['content-length'] ?? 0) > maxBytes) return tooLarge
    // HTTP/1.0 has no interim responses
    if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue()
    return new Promise((resolve) => {
      req.refuseBody = (failure) => resolve(E.left(failure))
      const parsed = parse?.(context)
      if (parsed === undefined) collect(req, resolve)
      else resolve(parsed)
    })
  }
}

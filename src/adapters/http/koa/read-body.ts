// The body of a request in Koa's context, as bytes: what has arrived already, or else read by koa-bodyparser.
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import type { Context, Middleware } from 'koa'
import { memberOf } from '../../../domain/thrown.js'
import type { HttpFailure } from '../failures.js'
import { type Body, INCOMPLETE } from '../handle.js'
import { REFUSED } from '../messages/head.js'

/** What every context of Koa has. Written here, so that users of our middleware need no declarations of Koa. */
export interface BodyContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/** Loads the parser this long after startup: earlier would add 10 % to it. */
const LOAD_AFTER_MS = 500

const bytesOf = (body: unknown): Uint8Array => (body instanceof Uint8Array ? body : new Uint8Array())

const isGone = ({ req }: BodyContext): boolean => req.destroyed

const isRefused = ({ res }: BodyContext): boolean => res.headersSent

const READ_BEFORE: Body = E.left({
  _tag: 'Defect',
  cause: new Error('the body of the request was read before this middleware: mount it before any parser of bodies'),
})

/** Reads bodies of at most this many bytes. */
export const makeReadBody = (maxBytes: number): ((context: BodyContext) => Promise<Body>) => {
  let parser: Promise<Middleware> | undefined
  const load = (): Promise<Middleware> => {
    // without an encoding, the text is its bytes; its types lack this documented option
    const options: object = {
      enableTypes: ['text'],
      extendTypes: { text: ['application/json'] },
      textLimit: String(maxBytes),
      encoding: '',
    }
    parser ??= import('koa-bodyparser').then(({ default: bodyParser }) => bodyParser(options))
    return parser
  }
  // a failure is that of each body that needs it; unhandled before the first one, it would end the process
  setTimeout(() => void load().catch(() => {}), LOAD_AFTER_MS).unref()
  const tooLarge: Body = E.left({ _tag: 'PayloadTooLarge', maxBytes })

  const refuse = ({ res }: BodyContext): Body => {
    // whatever has arrived of it, the rest is no request
    res.setHeader('Connection', 'close')
    return tooLarge
  }

  const parse = async (context: BodyContext): Promise<Body> => {
    const { headers } = context.req
    // it is `identity` in any case, but the parser knows only one; rawHeaders keeps the headers as sent
    delete headers['content-encoding']
    // HTTP/2 needs neither of the two, but the parser takes a body without them for none
    if (headers['content-length'] === undefined) headers['transfer-encoding'] = 'chunked'
    try {
      const koaContext = context as Context
      await (await load())(koaContext, async () => {})
      return E.right(bytesOf(koaContext.request.rawBody))
    } catch (cause) {
      const status = memberOf(cause, 'status')
      if (status === 413) return refuse(context)
      return status === 400 || isGone(context) ? INCOMPLETE : E.left({ _tag: 'Defect', cause })
    }
  }

  return async (context) => {
    const { req, res } = context
    if (req.readableDidRead) return READ_BEFORE
    if (isGone(context) || isRefused(context)) return INCOMPLETE
    // checked here, because the parser reads the length as 32 bits
    if (Number(req.headers['content-length'] ?? 0) > maxBytes) return refuse(context)
    // HTTP/1.0 has no interim responses
    if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue()
    // most bodies arrive with their headers and are parsed in this turn; the way through koa-bodyparser would take 20 µs
    if (!req.complete) {
      req.read(0)
      await new Promise((resolve) => setImmediate(resolve))
      // what came with the head may be malformed: then nothing ends the body, and to read it would hold the place of the request for ever
      if (isRefused(context)) return INCOMPLETE
    }
    if (req.complete) {
      const bytes = bytesOf(req.read())
      return bytes.length > maxBytes ? refuse(context) : E.right(bytes)
    }
    const refused = new Promise<Body>((resolve) => {
      req.once(REFUSED, (failure: HttpFailure) => resolve(E.left(failure)))
    })
    return Promise.race([parse(context), refused]).finally(() => req.removeAllListeners(REFUSED))
  }
}

// Reads the body of a request in Koa's context: directly if it has arrived already, otherwise with koa-bodyparser.
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import type { Context, Middleware } from 'koa'
import { memberOf } from '../../../domain/thrown.js'
import type { HttpFailure } from '../failures.js'
import { type Body, INCOMPLETE } from '../handle.js'
import { REFUSED } from '../messages/head.js'

/** Declared here, so that users of our middleware do not need Koa's types. */
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

export const makeReadBody = (maxBytes: number): ((context: BodyContext) => Promise<Body>) => {
  let parser: Promise<Middleware> | undefined
  const load = (): Promise<Middleware> => {
    // an empty encoding returns bytes; the types of koa-bodyparser lack this documented option
    const options: object = {
      enableTypes: ['text'],
      extendTypes: { text: ['application/json'] },
      textLimit: String(maxBytes),
      encoding: '',
    }
    parser ??= import('koa-bodyparser').then(({ default: bodyParser }) => bodyParser(options))
    return parser
  }
  // a failure is reported for each body that needs the parser; an unhandled rejection before would end the process
  setTimeout(() => void load().catch(() => {}), LOAD_AFTER_MS).unref()
  const tooLarge: Body = E.left({ _tag: 'PayloadTooLarge', maxBytes })

  const refuse = ({ res }: BodyContext): Body => {
    // the unread rest of the body must not be parsed as a request
    res.setHeader('Connection', 'close')
    return tooLarge
  }

  const parse = async (context: BodyContext): Promise<Body> => {
    const { headers } = context.req
    // always `identity` here, but the parser rejects repeated values; rawHeaders keeps the headers as sent
    delete headers['content-encoding']
    // HTTP/2 needs neither header, but the parser takes a request without both for one without a body
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
    // most bodies arrive with their headers and are complete after this turn; koa-bodyparser would take 20 µs
    if (!req.complete) {
      req.read(0)
      await new Promise((resolve) => setImmediate(resolve))
      // bytes after the head may be malformed: the body would then never end, and reading it would hang forever
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

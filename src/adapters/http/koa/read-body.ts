// Reads the body of a request in Koa's context. Our server joins the chunks of a body, so it is mostly there as one.
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import type { Context, Middleware } from 'koa'
import { memberOf } from '../../../domain/thrown.js'
import { type Body, INCOMPLETE } from '../handle.js'
import { makeJoined, type ServedRequest } from '../messages/joined.js'

/** Declared here, so that users of our middleware do not need Koa's types. */
export interface BodyContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/** Loads the parser this long after startup: earlier would add 10 % to it. */
const LOAD_AFTER_MS = 500

const bytesOf = (body: unknown): Uint8Array => (body instanceof Uint8Array ? body : new Uint8Array())

const READ_BEFORE: Body = E.left({
  _tag: 'Defect',
  cause: new Error('the body of the request was read before this middleware: mount it before any parser of bodies'),
})

/** Whether koa-bodyparser reads it: it finds no body without one of these headers, as over HTTP/2, and decodes others. */
const suitsParser = ({ headers }: IncomingMessage): boolean =>
  headers['content-encoding'] === undefined && (headers['content-length'] ?? headers['transfer-encoding']) !== undefined

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

  const parse = async (context: BodyContext): Promise<Body> => {
    const { req } = context
    try {
      const koaContext = context as Context
      await (await load())(koaContext, async () => {})
      return E.right(bytesOf(koaContext.request.rawBody))
    } catch (cause) {
      const status = memberOf(cause, 'status')
      // the parser has stopped reading, and Node discards only bodies that nobody has begun to read
      req.resume()
      if (status === 413) return tooLarge
      return status === 400 || req.destroyed ? INCOMPLETE : E.left({ _tag: 'Defect', cause })
    }
  }

  const collect = (req: IncomingMessage): Promise<Body> =>
    new Promise((resolve) => {
      const joined = makeJoined(maxBytes)
      req.on('data', (chunk: Uint8Array) => {
        if (!joined.add(chunk)) resolve(tooLarge)
      })
      req.on('end', () => resolve(E.right(joined.bytes())))
      req.on('close', () => resolve(INCOMPLETE))
    })

  return async (context) => {
    const { req, res }: { req: ServedRequest; res: ServerResponse } = context
    if (req.readableDidRead) return READ_BEFORE
    if (req.destroyed || res.headersSent) return INCOMPLETE
    // also because the parser reads the length as 32 bits
    if (Number(req.headers['content-length'] ?? 0) > maxBytes) return tooLarge
    // HTTP/1.0 has no interim responses
    if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue()
    // a body that came with its head is complete by now, and koa-bodyparser would take 20 µs
    if (req.complete) {
      const bytes = bytesOf(req.read())
      return bytes.length > maxBytes ? tooLarge : E.right(bytes)
    }
    const refused = new Promise<Body>((resolve) => {
      req.refuseBody = (failure) => resolve(E.left(failure))
    })
    return Promise.race([suitsParser(req) ? parse(context) : collect(req), refused])
  }
}

// The body of a request as bytes, within its limit: what has arrived already, or else read by koa-bodyparser.
import * as E from 'fp-ts/lib/Either.js'
import type { Context, Middleware } from 'koa'
import type { HttpFailure } from '../failures.js'
import type { Body } from '../respond.js'

/** Delay before the parser is loaded: later than startup, a tenth of which it would take, but before the first slow body needs it. */
const LOAD_AFTER_MS = 500

const done = async (): Promise<void> => {}

const bytesOf = (body: unknown): Uint8Array => (body instanceof Uint8Array ? body : new Uint8Array())

export const makeReadBody = (maxBytes: number): ((context: Context) => Promise<Body>) => {
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
  setTimeout(() => void load(), LOAD_AFTER_MS).unref()
  const tooLarge = E.left<HttpFailure>({ _tag: 'PayloadTooLarge', maxBytes })
  const incomplete = E.left<HttpFailure>({ _tag: 'BadRequest', reason: 'the body did not arrive whole' })

  return async (context) => {
    const { req, res } = context
    // refused already, or the client is gone
    if (req.destroyed || res.headersSent) return incomplete
    // checked here, because the parser reads the length as 32 bits
    if (Number(req.headers['content-length'] ?? 0) > maxBytes) return tooLarge
    // HTTP/1.0 has no interim responses
    if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue()
    // most bodies arrive with their headers, and the way through the parser would take 20 µs
    req.read(0)
    await new Promise<void>((resolve) => process.nextTick(resolve))
    if (req.complete) {
      const bytes = bytesOf(req.read())
      return bytes.length > maxBytes ? tooLarge : E.right(bytes)
    }
    // it is `identity` in any case, but the parser knows only one; rawHeaders keeps the headers as sent
    delete req.headers['content-encoding']
    try {
      await (await load())(context, done)
      return E.right(bytesOf(context.request.rawBody))
    } catch (cause) {
      const status = cause instanceof Error && 'status' in cause ? cause.status : undefined
      if (status === 413) return tooLarge
      return status === 400 ? incomplete : E.left({ _tag: 'Defect', cause })
    }
  }
}

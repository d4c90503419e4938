// The body of a request as bytes, within its limit, read by koa-bodyparser unless it has already arrived.
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import type { HttpFailure } from '../http-failure.js'
import type { Body } from '../messages/request.js'

/** Runs the parser on the request, and returns what it read. */
export type RunParser = (parser: Middleware) => Promise<unknown>

export type ReadBody = (req: IncomingMessage, res: ServerResponse, run: RunParser) => Promise<Body>

/**
 * media-type.ts has already checked the media type. The parser's own check, which takes half of its time, is answered once for
 * all requests of the app.
 */
export const takeBodiesAsText = (app: Koa): void => {
  Object.assign(app.request, { is: () => 'text/plain' })
}

// without an encoding the parser returns the bytes, undecoded but limited
const loadParser = async (maxBytes: number): Promise<Middleware> => {
  const { default: bodyParser } = await import('koa-bodyparser')
  // a number, which the types do not allow, saves parsing the limit again for each body
  const options: object = { enableTypes: ['text'], encoding: '', textLimit: maxBytes }
  return bodyParser(options)
}

/** Delay before the parser is loaded: later than startup, a tenth of which it would take, but before the first slow body needs it. */
const LOAD_AFTER_MS = 500

/** If a request is refused while its body arrives, only the response emits an event. */
const closeOf = (res: ServerResponse): Promise<void> => new Promise((resolve) => res.once('close', resolve))

/**
 * The body that arrived together with its headers, as most bodies do; undefined if bytes of it are missing. There is nothing to
 * wait for, and the parser's way through the events of a stream would take 20 µs.
 */
const arrivedBody = (req: IncomingMessage): Uint8Array | undefined => {
  if (req.readableLength !== Number(req.headers['content-length'])) return undefined
  const bytes: unknown = req.read()
  // otherwise the request would never end
  req.resume()
  return bytes instanceof Uint8Array ? bytes : new Uint8Array()
}

export const makeReadBody = (maxBytes: number): ReadBody => {
  let parser: Promise<Middleware> | undefined
  const load = (): Promise<Middleware> => {
    parser ??= loadParser(maxBytes).catch((cause: unknown) => {
      // the next body tries again
      parser = undefined
      throw cause
    })
    return parser
  }
  setTimeout(() => void load().catch(() => {}), LOAD_AFTER_MS).unref()
  const tooLarge = E.left<HttpFailure>({ _tag: 'PayloadTooLarge', maxBytes })
  const incomplete = E.left<HttpFailure>({ _tag: 'BadRequest', reason: 'the body did not arrive whole' })

  return async (req, res, run) => {
    const isRefused = (): boolean => res.headersSent
    const isWhole = (): boolean => req.complete
    // gone or refused already: the parser would wait for past events
    if (req.destroyed || isRefused()) return incomplete
    // checked here, because the parser reads the length as 32 bits
    if (Number(req.headers['content-length'] ?? 0) > maxBytes) return tooLarge
    const arrived = arrivedBody(req)
    if (arrived !== undefined) return E.right(arrived)
    // HTTP/1.0 has no interim responses
    if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue()
    // it is `identity` in any case, but the parser knows only one; rawHeaders keeps the headers as sent
    if (req.headers['content-encoding'] !== undefined) req.headers['content-encoding'] = 'identity'
    try {
      const closed = closeOf(res)
      const body = await Promise.race([load().then(run), closed])
      if (isRefused() || !isWhole()) return incomplete
      return E.right(body instanceof Uint8Array ? body : new Uint8Array())
    } catch (cause) {
      req.resume()
      const status = cause instanceof Error && 'status' in cause ? cause.status : undefined
      if (status === 413) return tooLarge
      return status === 400 ? incomplete : E.left({ _tag: 'Defect', cause })
    }
  }
}

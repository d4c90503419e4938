// The service as a middleware for any Koa app. Bodies are read by koa-bodyparser, because other middleware looks for them
// where it puts them; our own app does without, because it takes 20 µs per request.
import type { IncomingMessage } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import type { Context, Middleware } from 'koa'
import { memberOf } from '../../../domain/thrown.js'
import { checkedSettings } from '../checked-settings.js'
import { type Body, INCOMPLETE } from '../handle.js'
import { exactFirst } from '../route.js'
import { type HttpDependencies, routeTable } from '../routes.js'
import type { AppSettings } from '../settings.js'
import { routerOf } from './app.js'
import { type KoaMiddleware, middlewareOf } from './middleware.js'
import type { BodyContext, ParseBody } from './read-body.js'

const bytesOf = (body: unknown): Uint8Array => (body instanceof Uint8Array ? body : new Uint8Array())

/** Whether koa-bodyparser reads it: it finds no body without one of these headers, as over HTTP/2, and decodes others. */
const suitsParser = ({ headers }: IncomingMessage): boolean =>
  headers['content-encoding'] === undefined && (headers['content-length'] ?? headers['transfer-encoding']) !== undefined

const loadParser = async (maxBytes: number): Promise<Middleware> => {
  const { default: bodyParser } = await import('koa-bodyparser')
  // an empty encoding returns bytes; the types of koa-bodyparser lack this documented option
  const options: object = {
    enableTypes: ['text'],
    extendTypes: { text: ['application/json'] },
    textLimit: String(maxBytes),
    encoding: '',
  }
  return bodyParser(options)
}

const makeParseBody = (maxBytes: number): ParseBody => {
  const parser = loadParser(maxBytes)
  // a failure is reported for each body that needs the parser; an unhandled rejection before would end the process
  parser.catch(() => {})

  const parse = async (context: BodyContext): Promise<Body> => {
    const { req } = context
    try {
      const koaContext = context as Context
      await (await parser)(koaContext, async () => {})
      return E.right(bytesOf(koaContext.request.rawBody))
    } catch (cause) {
      const status = memberOf(cause, 'status')
      // the parser has stopped reading, and Node discards only bodies that nobody has begun to read
      req.resume()
      if (status === 413) return E.left({ _tag: 'PayloadTooLarge', maxBytes })
      return status === 400 || req.destroyed ? INCOMPLETE : E.left({ _tag: 'Defect', cause })
    }
  }

  return (context) => (suitsParser(context.req) ? parse(context) : undefined)
}

export const koaMiddleware = (useCases: HttpDependencies, given: AppSettings): KoaMiddleware => {
  const settings = checkedSettings(given)
  const find = exactFirst(routeTable(useCases, settings), routerOf)
  return middlewareOf(useCases.authenticate, settings, find, makeParseBody(settings.maxBodyBytes))
}

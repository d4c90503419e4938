// The one middleware that touches Koa's context: context → HttpRequest → endpoint → Reply → context.
import type { IncomingMessage } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import type { Context, Middleware } from 'koa'
import bodyParser from 'koa-bodyparser'
import { baseUrlOf } from '../messages/base-url.js'
import { muted } from '../error-reply.js'
import { headersOf } from '../messages/headers.js'
import type { HttpFailure } from '../http-failure.js'
import type { Endpoint, Reply } from '../messages/reply.js'
import type { HttpRequest } from '../messages/request.js'
import type { AppSettings } from '../settings.js'
import { requestIdOf, traceIdOf } from '../messages/request-id.js'

type EndpointSettings = Pick<AppSettings, 'bodyLimit' | 'publicUrl' | 'observer'>

const headerLines = (message: IncomingMessage, name: string): readonly string[] => {
  const { rawHeaders } = message
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const field = rawHeaders[at] ?? ''
    if (field.length === name.length && field.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}

// as text in no encoding the parser hands over the bytes, unread but limited; the media type is judged before
const bytesParser = (limit: number): Middleware => {
  const options = { enableTypes: ['text'], extendTypes: { text: ['application/json'] }, encoding: '' }
  return bodyParser({ ...options, textLimit: String(limit) })
}

const bodyOf = async (
  context: Context,
  parse: Middleware,
  limit: number,
): Promise<E.Either<HttpFailure, Uint8Array>> => {
  const { req, res } = context
  const tooLarge: HttpFailure = { _tag: 'PayloadTooLarge', limit }
  // compared here because the parser reads the length as 32 bits
  if (Number(req.headers['content-length'] ?? 0) > limit) return E.left(tooLarge)
  // in HTTP/1.0 there are no interim answers
  if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue()
  // it knows these spellings for sure; the headers as sent stay in rawHeaders
  req.headers['content-type'] = 'application/json'
  delete req.headers['content-encoding']
  try {
    await parse(context, async () => {})
    const body: unknown = context.request.body
    return E.right(body instanceof Uint8Array ? body : new Uint8Array())
  } catch (error) {
    req.resume()
    const isTooLarge = error instanceof Error && 'status' in error && error.status === 413
    return E.left(isTooLarge ? tooLarge : { _tag: 'BadRequest', reason: 'the body did not arrive whole' })
  }
}

/** Answers a Koa request by the endpoint; what the endpoint throws leaves as a mute 500. */
export const koaEndpoint = ({ bodyLimit, publicUrl, observer }: EndpointSettings) => {
  const parse = bytesParser(bodyLimit)

  const requestOf = (context: Context, route: string, id: string): HttpRequest => ({
    method: context.method,
    path: context.path,
    route,
    params: (context['params'] as Readonly<Record<string, string>> | undefined) ?? {},
    query: context.querystring,
    header: (name) => headerLines(context.req, name),
    body: () => bodyOf(context, parse, bodyLimit),
    baseUrl: publicUrl ?? baseUrlOf(context.req),
    id,
  })

  const write = ({ res, method }: Context, reply: Reply, requestId: string): void => {
    res.writeHead(reply.status, headersOf(reply, requestId))
    res.end(method === 'HEAD' ? undefined : reply.body)
  }

  return (route: string, endpoint: Endpoint): Middleware => {
    const answerTo = muted(endpoint)
    return async (context) => {
      const start = performance.now()
      const { headers } = context.req
      const id = requestIdOf(headers['x-request-id']?.toString())
      const reply = await answerTo(requestOf(context, route, id))
      context.respond = false
      if (reply.status >= 500) observer.failed(reply.cause, id)
      // the rest of the request was broken or late, and has been refused meanwhile
      if (context.res.headersSent) return
      write(context, reply, id)
      observer.answered({
        requestId: id,
        method: context.method,
        route,
        status: reply.status,
        milliseconds: performance.now() - start,
        keyId: reply.keyId,
        traceId: traceIdOf(headers['traceparent']?.toString()),
      })
    }
  }
}

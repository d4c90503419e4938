// Translates between Koa's context and plain values: the request, then the reply, by Koa or by a writer of our own.
import { setMaxListeners } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FindCaller } from '../access/caller.js'
import { type Handled, type Load, makeHandle, NO_LOAD } from '../handle.js'
import { headersOf, headerValues, isStream } from '../messages/message.js'
import type { FindRoutes } from '../route.js'
import { baseUrlOf, isExpectationMet, targetOf } from '../server/head.js'
import type { AppSettings } from '../settings.js'
import { type BodyContext, makeReadBody, type ParseBody } from './read-body.js'
import { PART_BYTES, sendParts, writeStream } from './write-stream.js'

/** Responses per batch. */
const MAX_BATCH = 32

/** The part of Koa's context that we use. */
export interface KoaContext extends BodyContext {
  readonly originalUrl: string
  readonly url: string
  readonly path: string
  readonly protocol: string
  readonly host: string
  readonly method: string
  status: number
  body: unknown
  /** Whether Koa writes the response. */
  respond?: boolean | undefined
  readonly set: (name: string, value: string) => void
  readonly vary: (names: string) => void
}

/** A middleware for any Koa app. */
export type KoaMiddleware = (context: KoaContext, next: () => Promise<unknown>) => Promise<void>

/** `parseBody`: given if other middleware serves other paths, may change our replies, and looks for bodies. */
export const middlewareOf = (
  authenticate: FindCaller,
  settings: AppSettings,
  find: FindRoutes,
  parseBody?: ParseBody,
): KoaMiddleware => {
  const isMounted = parseBody !== undefined
  const { maxBodyBytes, observer, publicUrl, stopping } = settings
  const load: Load = { ...NO_LOAD }
  const readBody = makeReadBody(maxBodyBytes, parseBody)
  const handle = makeHandle(authenticate, settings, find, load)
  const answer = isMounted ? answerByKoa(load, stopping) : makeResponseWriter(load, stopping)
  // each stream adds a listener
  setMaxListeners(0, stopping)

  return async (context, next) => {
    if (isMounted && find(context.path) === undefined) {
      await next()
      return
    }
    const { req, res, originalUrl, url } = context
    // the mount path; empty if outer middleware has rewritten the path
    const prefix = isMounted && originalUrl.endsWith(url) ? originalUrl.slice(0, -url.length) : ''
    const ownUrl = isMounted ? `${context.protocol}://${context.host}${prefix}/v1` : baseUrlOf(req)
    const [path, query] = targetOf(req.url ?? '')
    const handled = await handle({
      method: req.method ?? '',
      path,
      query,
      headers: req.headers,
      header: (name) => headerValues(req, name),
      baseUrl: publicUrl ?? ownUrl,
      peerAddress: req.socket.remoteAddress ?? '',
      prefix,
      isExpectationMet: isExpectationMet(req),
      body: () => readBody(context),
    })
    try {
      const bytes = answer(context, handled)
      handled.report(typeof bytes === 'object' ? await bytes : bytes)
    } catch (cause) {
      if (isMounted) throw cause
      // a defect after the reply has begun; the client must not wait for the rest
      if (!res.writableEnded) res.destroy()
      observer.failed(cause, handled.requestId)
    }
  }
}

/** Returns the number of body bytes sent, 0 for HEAD; undefined if another reply was sent meanwhile. */
type Answer<C> = (context: C, handled: Pick<Handled, 'reply' | 'requestId'>) => number | undefined | Promise<number>

type WriterContext = Pick<KoaContext, 'req' | 'res' | 'respond'>

/** Lets Koa send the reply, for outer middleware to change. Not streams: Koa would report each client that leaves. */
const answerByKoa =
  (load: Load, stopping: AbortSignal): Answer<KoaContext> =>
  (context, { reply, requestId }) => {
    const { status, body } = reply
    const bytes = body === undefined || isStream(body) ? 0 : Buffer.byteLength(body)
    const lines = headersOf(reply, requestId, bytes)
    context.status = status
    for (let at = 0; at < lines.length; at += 2) {
      const [name = '', value = ''] = lines.slice(at, at + 2)
      if (name === 'Vary') context.vary(value)
      else context.set(name, value)
    }
    if (isStream(body)) {
      context.respond = false
      return writeStream(context.res, body, load, stopping)
    }
    if (body !== undefined) context.body = Buffer.from(body)
    return context.method === 'HEAD' || context.res.destroyed ? 0 : bytes
  }

/** `body`: undefined to send only the head. */
const sendNow = (
  response: ServerResponse,
  status: number,
  headers: string[],
  body: string | Uint8Array | undefined,
  encoding: BufferEncoding,
): void => {
  const { socket } = response
  // the client may have left meanwhile, or the request was refused because its rest was malformed or late
  if (response.destroyed || response.headersSent || socket === null) return
  response.writeHead(status, headers)
  if (typeof body === 'object' && body.length > PART_BYTES) {
    sendParts(response, body, 0)
    return
  }
  if (body !== undefined) {
    // Node's `end(body)` would write a second, empty text, which takes 2 µs more
    socket.cork()
    response.write(body, encoding)
    socket.uncork()
  }
  response.end()
}

/** Writes to Node's response in batches, which Koa documents `respond` for: its own way takes 10 µs more. */
export const makeResponseWriter = (load: Load, stopping: AbortSignal): Answer<WriterContext> => {
  let batch: (() => void)[] = []

  const sendBatch = (): void => {
    const ready = batch
    batch = []
    for (const send of ready) send()
  }

  /**
   * Sending responses back to back takes 15 µs less per response than reading the next request in between. It also lets
   * everything that came with the head be parsed first, so that malformed bytes are refused.
   */
  const sendAtEndOfTurn = (send: () => void): void => {
    if (batch.length === MAX_BATCH) sendBatch()
    if (batch.length === 0) setImmediate(sendBatch)
    batch.push(send)
  }

  /** Counts bytes that the client has not taken yet, but not those of files, which all responses share. */
  const count = (response: ServerResponse, bytes: number): void => {
    if (bytes === 0 || response.writableLength === 0 || response.closed) return
    load.unreadBytes += bytes
    response.once('close', () => {
      load.unreadBytes -= bytes
    })
  }

  return (context, { reply, requestId }) => {
    const { req: request, res: response } = context
    context.respond = false
    // refused meanwhile, because the rest of the request was malformed or late
    if (response.headersSent) {
      if (isStream(reply.body)) void reply.body[Symbol.asyncIterator]().return?.()
      return undefined
    }
    const { status, body } = reply
    if (isStream(body)) {
      response.setHeader('Connection', 'close')
      response.writeHead(status, headersOf(reply, requestId, 0))
      // discards further bytes, because the end of the connection is only seen after them
      request.resume()
      return writeStream(response, body, load, stopping)
    }
    if (response.destroyed) return 0
    const bytes = body === undefined ? 0 : Buffer.byteLength(body)
    const headers = headersOf(reply, requestId, bytes)
    const isSent = request.method !== 'HEAD' && body !== undefined
    // a text with as many bytes as characters is ASCII, and Latin-1 is encoded faster
    const encoding = bytes === body?.length ? 'latin1' : 'utf8'
    sendAtEndOfTurn(() => {
      try {
        sendNow(response, status, headers, isSent ? body : undefined, encoding)
        count(response, isSent && typeof body === 'string' ? bytes : 0)
      } catch {
        // must not affect the rest of the batch
        response.destroy()
      }
    })
    return isSent ? bytes : 0
  }
}

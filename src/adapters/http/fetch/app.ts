// The service on the Fetch standard: a Request in, a Response out. Knows neither Koa nor Node's server.
import * as E from 'fp-ts/lib/Either.js'
import { match as matcherOf } from 'path-to-regexp'
import { makeJoined } from '../messages/joined.js'
import { headersOf, type Reply, type ReplyStream } from '../messages/message.js'
import { type Body, INCOMPLETE, makeRespond } from '../respond.js'
import { exactFirst, type FindRoutes, type PathRoutes, patternOf } from '../route.js'
import { routeTable, type UseCases } from '../routes.js'
import type { AppSettings } from '../settings.js'

const encoder = new TextEncoder()

/** Ignores what runtimes pass after the request. */
export type FetchHandler = (request: Request) => Promise<Response>

export interface HandlerSettings extends AppSettings {
  /**
   * The address of the peer, which only the runtime knows. Without it, and without trusted proxies, all wrong keys count as those
   * of one client.
   */
  readonly peerAddress?: (request: Request) => string | undefined
}

interface Exchange {
  readonly request: Request
  /** 1, or 0 for a probe, which takes no place from others. */
  places: number
  readonly resolve: (response: Response) => void
}

/** The text as sent if it is not well encoded. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const routerOf = (paths: readonly PathRoutes[]): FindRoutes => {
  const patterns = paths.map((target) => ({
    target,
    // strict and sensitive: `/PETS` and `/pets/` are not `/pets`
    matches: matcherOf<Record<string, string>>(patternOf(target), { sensitive: true, trailing: false, decode }),
  }))
  return (path) => {
    for (const { target, matches } of patterns) {
      const found = matches(path)
      if (found !== false) return { target, params: found.params }
    }
    return undefined
  }
}

/** The rest of a body that is too large is left to the runtime: cancelling it could close the connection before the response. */
const readBody = async (request: Request, maxBytes: number): Promise<Body> => {
  const { body, headers, signal } = request
  const tooLarge: Body = E.left({ _tag: 'PayloadTooLarge', maxBytes })
  if (Number(headers.get('content-length') ?? 0) > maxBytes) return tooLarge
  if (request.bodyUsed || body?.locked === true)
    return E.left({
      _tag: 'Defect',
      cause: new Error('the body of the request was read before the handler was called'),
    })
  if (body === null) return E.right(new Uint8Array())
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader()
  const joined = makeJoined(maxBytes)
  // the stream of a request need not know that its client is gone
  const stop = (): void => void reader.cancel().catch(() => undefined)
  const isGone = (): boolean => signal.aborted
  signal.addEventListener('abort', stop)
  try {
    while (!isGone()) {
      const { done, value } = await reader.read()
      if (!done && !joined.add(value)) return tooLarge
      if (done && !isGone()) return E.right(joined.bytes())
    }
    return INCOMPLETE
  } catch {
    // the client has gone in the middle of its body
    return INCOMPLETE
  } finally {
    signal.removeEventListener('abort', stop)
    reader.releaseLock()
  }
}

/** Calls `onEnd` once, with the number of bytes, when the stream has ended or its reader has left, or `onError` with what it threw. */
const streamBody = (
  { parts, close }: ReplyStream,
  signal: AbortSignal,
  onEnd: (bytes: number) => void,
  onError: (cause: unknown) => void,
): ReadableStream<Uint8Array> => {
  let bytes = 0
  let hasEnded = false
  const end = (): void => {
    if (hasEnded) return
    hasEnded = true
    signal.removeEventListener('abort', end)
    close()
    onEnd(bytes)
  }
  signal.addEventListener('abort', end)
  if (signal.aborted) end()

  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      const { done, value } = await parts.next()
      if (done !== true) {
        bytes += value.length
        controller.enqueue(value)
        return
      }
    } catch (cause) {
      onError(cause)
      end()
      throw cause
    }
    end()
    controller.close()
  }

  // nothing is made ahead
  return new ReadableStream<Uint8Array>({ pull, cancel: end }, { highWaterMark: 0 })
}

const respondWith = ({ request, resolve }: Exchange, reply: Reply, requestId: string): number | Promise<number> => {
  const { status, stream } = reply
  const body = typeof reply.body === 'string' ? encoder.encode(reply.body) : reply.body
  const { method, signal } = request
  const size = body?.length ?? 0
  const headers = new Headers()
  const lines = headersOf(reply, requestId, size)
  for (let at = 0; at < lines.length; at += 2) headers.append(lines[at] ?? '', lines[at + 1] ?? '')
  if (stream !== undefined)
    return new Promise((onEnd, onError) =>
      resolve(new Response(streamBody(stream, signal, onEnd, onError), { status, headers })),
    )
  const isSent = body !== undefined && method !== 'HEAD'
  resolve(new Response(isSent ? body : null, { status, headers }))
  // nothing reaches a client that is gone
  return isSent && !signal.aborted ? size : 0
}

export const makeFetchApp = (useCases: UseCases, settings: HandlerSettings): FetchHandler => {
  const { maxBodyBytes, maxInFlight, peerAddress, publicUrl } = settings
  const find = exactFirst(routeTable(useCases, settings), routerOf)
  let inFlight = 0

  const respond = makeRespond<Exchange>(useCases, settings, {
    receive: (exchange) => {
      const { request } = exchange
      const { origin, pathname, search } = new URL(request.url)
      const match = find(pathname)
      inFlight += exchange.places = match?.target.isProbe === true ? 0 : 1
      // the standard joins the lines of one header
      const headers: Readonly<Record<string, string>> = Object.fromEntries(request.headers)
      return {
        method: request.method,
        path: pathname,
        query: search.slice(1),
        match,
        headers,
        header: (name) => {
          const value = headers[name]
          return value === undefined ? [] : [value]
        },
        baseUrl: publicUrl ?? `${origin}/v1`,
        peerAddress: peerAddress?.(request) ?? '',
        // the runtime handles expectations
        isExpectationMet: true,
      }
    },
    isSurplus: () => inFlight > maxInFlight,
    shareOf: () => undefined,
    readBody: ({ request }) => readBody(request, maxBodyBytes),
    send: respondWith,
    abandon: ({ resolve }) => resolve(new Response(null, { status: 500 })),
  })

  return (request) =>
    new Promise((resolve) => {
      const exchange: Exchange = {
        request,
        places: 0,
        resolve: (response) => {
          inFlight -= exchange.places
          exchange.places = 0
          resolve(response)
        },
      }
      void respond(exchange)
    })
}

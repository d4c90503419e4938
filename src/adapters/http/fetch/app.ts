// The service as a Fetch handler: a Request in, a Response out. Uses neither Koa nor Node's server.
import { match as matcherOf } from 'path-to-regexp'
import { checkedSettings } from '../checked-settings.js'
import { makeErrorReply } from '../failures.js'
import { makeHandle, NO_LOAD } from '../handle.js'
import { headersOf, isStream, type Reply, requestIdOf } from '../messages/message.js'
import { exactFirst, type FindRoutes, type PathRoutes, patternOf } from '../route.js'
import { type HttpDependencies, routeTable } from '../routes.js'
import type { AppSettings } from '../settings.js'
import { readBody, streamBody } from './bodies.js'

const encoder = new TextEncoder()

/** Ignores further arguments, which some runtimes pass. */
export type FetchHandler = (request: Request) => Promise<Response>

export interface HandlerSettings extends AppSettings {
  /**
   * The address of the peer, which only the runtime knows. Without it and without trusted proxies, the rate limit
   * counts all clients without a valid key as one.
   */
  readonly peerAddress?: (request: Request) => string | undefined
}

/** Returns the text as sent if its encoding is malformed. */
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

const responseOf = (
  reply: Reply,
  requestId: string,
  size: number,
  body: Uint8Array | ReadableStream | null,
): Response => {
  const lines = headersOf(reply, requestId, size)
  const headers = new Headers()
  for (let at = 0; at < lines.length; at += 2) headers.append(lines[at] ?? '', lines[at + 1] ?? '')
  return new Response(body, { status: reply.status, headers })
}

export const fetchHandler = (useCases: HttpDependencies, given: HandlerSettings): FetchHandler => {
  const settings = checkedSettings(given)
  const { maxBodyBytes, observer, peerAddress, publicUrl } = settings
  const find = exactFirst(routeTable(useCases, settings), routerOf)
  const handle = makeHandle(useCases.authenticate, settings, find, { ...NO_LOAD })
  const errorReply = makeErrorReply(publicUrl, settings.documentation !== undefined)
  // referenced, because the signal of a garbage-collected request never fires when its client leaves
  const held = new Set<Request>()

  return async (request) => {
    held.add(request)
    let id = requestIdOf({ 'x-request-id': request.headers.get('x-request-id') ?? undefined })
    const failed = (cause: unknown): void => observer.failed(cause, id)
    try {
      const { origin, pathname, search } = new URL(request.url)
      // Fetch joins repeated headers
      const headers: Readonly<Record<string, string>> = Object.fromEntries(request.headers)
      const { reply, requestId, report } = await handle({
        method: request.method,
        path: pathname,
        query: search.slice(1),
        headers,
        header: (name) => (headers[name] === undefined ? [] : [headers[name]]),
        baseUrl: publicUrl ?? `${origin}/v1`,
        peerAddress: peerAddress?.(request) ?? '',
        // runtimes handle Expect themselves
        isExpectationMet: true,
        body: () => readBody(request, maxBodyBytes),
      })
      id = requestId
      const { body } = reply
      if (isStream(body)) return responseOf(reply, id, 0, streamBody(body, request.signal, report, failed))
      const bytes = typeof body === 'string' ? encoder.encode(body) : body
      const size = bytes?.length ?? 0
      const isSent = bytes !== undefined && request.method !== 'HEAD'
      // a client that has left gets nothing
      report(isSent && !request.signal.aborted ? size : 0)
      return responseOf(reply, id, size, isSent ? bytes : null)
    } catch (cause) {
      failed(cause)
      const reply = errorReply({ _tag: 'Defect', cause }, id)
      const bytes = encoder.encode(reply.body)
      return responseOf(reply, id, bytes.length, bytes)
    } finally {
      held.delete(request)
    }
  }
}

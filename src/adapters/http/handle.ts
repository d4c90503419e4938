// Handles a request of any server: route, method, load, key, scope, rate, headers, body, domain, as in openapi.yaml.
import * as E from 'fp-ts/lib/Either.js'
import { type CallerFacts, type FindCaller, makeCallers } from './access/caller.js'
import { forwardedAddress } from './access/client-address.js'
import { rateLimitFields } from './access/rate-limit.js'
import { corsFields, isPreflight } from './cors.js'
import { type Defect, type HttpFailure, makeErrorReply } from './failures.js'
import {
  EVERY_METHOD,
  type HttpRequest,
  isStream,
  type JoinedHeaders,
  type Reply,
  requestIdOf,
  traceIdOf,
  withFields,
} from './messages/message.js'
import { prefersType } from './messages/preferences.js'
import { reportOf } from './report.js'
import type { FindRoutes, Match, PathRoutes, Result } from './route.js'
import type { AppSettings } from './settings.js'

/** The work in progress over all connections: the only measure of overload. */
export interface Load {
  /** Requests in flight, except probes. */
  requests: number
  /** Bytes of responses that clients have not read yet. */
  unreadBytes: number
}

export const NO_LOAD: Readonly<Load> = { requests: 0, unreadBytes: 0 }

/** Above this, requests are refused. */
const MAX_UNREAD_BYTES = 16_777_216

/** Whether the latest request, already counted, exceeds a limit. */
const isFull = ({ requests, unreadBytes }: Load, maxInFlight: number): boolean =>
  requests > maxInFlight || unreadBytes > MAX_UNREAD_BYTES

/** The body, or why it is missing. */
export type Body = E.Either<HttpFailure | Defect, Uint8Array>

export const INCOMPLETE: Body = E.left({ _tag: 'BadRequest', reason: 'the body did not arrive whole' })

/** Reported for a request whose connection was lost before its body was complete: it was not malformed. */
const LOST = { status: 499, code: 'connection_lost' } as const

/** A request before any check. */
export interface Received extends Pick<HttpRequest, 'method' | 'path' | 'query' | 'header' | 'baseUrl'> {
  readonly headers: JoinedHeaders
  /** Empty if unknown. */
  readonly peerAddress: string
  /** The path at which the service is mounted, before `/v1`. */
  readonly prefix?: string
  /** Whether the request has no `Expect`, or only `100-continue`. */
  readonly isExpectationMet: boolean
  /** Sends `100 Continue` if expected, and reads the body. Called at most once, after all checks that need no body. */
  readonly body: () => Promise<Body>
}

export interface Handled {
  readonly reply: Reply
  readonly requestId: string
  /**
   * Reports the request and releases its slot. Call it once, in the asynchronous context of the request, when the
   * reply was handed over or dropped: with the number of body bytes sent, or with undefined if the request has got another reply meanwhile.
   */
  readonly report: (bytesSent: number | undefined) => void
}

/** Never rejects. */
export type Handle = (received: Received) => Promise<Handled>

const EXPECTATION_FAILED: Result = E.left({ _tag: 'ExpectationFailed' })
const OVERLOADED: Result = E.left({ _tag: 'Overloaded' })

/** For a person who opened the bare address. Not a route, so that `/` stays free for apps that mount the middleware. */
const TO_DOCUMENTATION: Result = E.right({
  status: 303,
  // relative, as the pages' own links, for any path prefix and TLS in front
  headers: [
    ['Location', 'docs'],
    ['Vary', 'Accept'],
  ],
})

const noContent = (allow: string): Result => E.right({ status: 204, headers: [['Allow', allow]] })

export const makeHandle = (authenticate: FindCaller, settings: AppSettings, find: FindRoutes, load: Load): Handle => {
  const { corsOrigins, documentation, maxInFlight, publicUrl, rateLimit, trustedProxies, observer } = settings
  const callers = makeCallers(authenticate, rateLimit)
  const hasPages = documentation !== undefined
  const errorReply = makeErrorReply(publicUrl, hasPages)

  const call = async (
    request: HttpRequest,
    match: Match | undefined,
    { isExpectationMet, body }: Received,
    facts: CallerFacts,
  ): Promise<Result> => {
    const { method, path } = request
    const route = match?.target.byMethod.get(method)
    const isProbe = match?.target.isProbe === true
    if (route !== undefined && !isProbe && isFull(load, maxInFlight)) return OVERLOADED
    if (route === undefined || route._tag === 'Public') {
      const isOfPage = corsOrigins.length > 0 && isPreflight(request)
      // not limited, because refusing a preflight would also block the request with a valid key that follows
      const failure = isProbe || isOfPage ? undefined : await callers.strangerFailure(request)
      if (failure !== undefined) return E.left(failure)
      // `return await` saves the two microtasks that returning a promise costs
      if (route !== undefined) return isExpectationMet ? await route.endpoint(request) : EXPECTATION_FAILED
      // `OPTIONS *`: RFC 9110 §9.3.7. Without a preflight, a page could not read the 404 of an unknown path
      const isForAny = path === '*' || (isOfPage && match === undefined)
      const allow = isForAny ? EVERY_METHOD : match?.target.allow
      if (method === 'OPTIONS' && allow !== undefined) return isExpectationMet ? noContent(allow) : EXPECTATION_FAILED
      if (match !== undefined) return E.left({ _tag: 'MethodNotAllowed', allow: match.target.allow })
      const isVisit = hasPages && path === '/' && /^(?:GET|HEAD)$/.test(method) && prefersType('text/html', request)
      return isVisit ? TO_DOCUMENTATION : E.left({ _tag: 'RouteNotFound', hasPages })
    }
    const caller = await callers.find(request, route.scope, facts)
    if (E.isLeft(caller)) return caller
    if (!isExpectationMet) return EXPECTATION_FAILED
    if (route._tag === 'Key') return await route.endpoint(request, caller.right)
    const accepted = route.endpoint(request, caller.right)
    if (E.isLeft(accepted)) return accepted
    const bytes = await body()
    return E.isLeft(bytes) ? bytes : await accepted.right(bytes.right)
  }

  /** Adds the headers that depend on the route, the caller and the origin. */
  const replyTo = (
    request: HttpRequest,
    result: Result,
    deprecation: ReturnType<PathRoutes['deprecationOf']>,
    rate: CallerFacts['rate'],
    prefix: string | undefined,
  ): Reply => {
    const reply = E.isLeft(result) ? errorReply(result.left, request.id, prefix) : result.right
    if (corsOrigins.length === 0 && deprecation === undefined && rate === undefined) return reply
    const headers = withFields(reply.headers, [
      ...(deprecation === undefined ? [] : deprecation(request.baseUrl)),
      ...(rate === undefined ? [] : rateLimitFields(rate)),
      ...corsFields(corsOrigins, request),
    ])
    const { status, body, events, code, detail } = reply
    return { status, headers, body, events, code, detail } satisfies Record<keyof Reply, unknown>
  }

  return async (received) => {
    const start = performance.now()
    const { headers } = received
    const match = find(received.path)
    let weight = match?.target.isProbe === true ? 0 : 1
    load.requests += weight
    const release = (): void => {
      load.requests -= weight
      weight = 0
    }
    const forwarded = trustedProxies === 0 ? undefined : forwardedAddress(headers, trustedProxies)
    const request: HttpRequest = {
      method: received.method,
      path: received.path,
      params: match?.params ?? {},
      query: received.query,
      header: received.header,
      baseUrl: received.baseUrl,
      clientAddress: forwarded ?? received.peerAddress,
      id: requestIdOf(headers),
    }
    const facts: CallerFacts = { keyId: undefined, invalidKey: undefined, rate: undefined }
    let result: Result
    // the only place that catches exceptions of endpoints
    try {
      const found = await call(request, match, received, facts)
      // a store written in JavaScript may return any error
      result = E.isLeft(found) && !('_tag' in found.left) ? E.left({ _tag: 'Defect', cause: found.left }) : found
    } catch (cause) {
      result = E.left({ _tag: 'Defect', cause })
    }
    if (E.isLeft(result) && 'cause' in result.left) observer.failed(result.left.cause, request.id)
    const reply = replyTo(request, result, match?.target.deprecationOf(received.method), facts.rate, received.prefix)
    // streams have their own limit
    if (isStream(reply.body)) release()
    return {
      reply,
      requestId: request.id,
      report: (bytes) => {
        release()
        if (bytes === undefined) return
        const { keyId, invalidKey } = facts
        const milliseconds = performance.now() - start
        // a handler without sockets may not know the address, which is then empty
        const clientAddress = forwarded ?? (invalidKey && (request.clientAddress || undefined))
        const rest = { bytes, milliseconds, keyId, clientAddress, traceId: traceIdOf(headers) }
        const isLost = result === INCOMPLETE && bytes === 0
        observer.responded(reportOf(request, match?.target, isLost ? { ...reply, ...LOST } : reply, invalidKey, rest))
      },
    }
  }
}

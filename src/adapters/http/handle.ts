// One request, whatever server it came to: checked in the order of openapi.yaml (route, method, load, key, scope, rate, headers,
// body, domain) and replied to. Plain values in, a plain value out.
import type { IncomingHttpHeaders } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import { type CallerFacts, type FindCaller, makeCallers } from './access/caller.js'
import { forwardedAddress } from './access/client-address.js'
import { rateLimitFields } from './access/rate-limit.js'
import { corsFields, isPreflight } from './cors.js'
import { type Defect, type HttpFailure, makeErrorReply } from './failures.js'
import { EVERY_METHOD, type HttpRequest, isStream, type Reply, withFields } from './messages/message.js'
import { requestIdOf, traceIdOf } from './messages/request-headers.js'
import { reportOf } from './report.js'
import type { FindRoutes, Match, PathRoutes, Result } from './route.js'
import type { AppSettings } from './settings.js'

/** What a service has under way, of all its connections together: the one measure of overload. */
export interface Load {
  /** Requests without a reply yet; probes count for nothing. */
  requests: number
  /** Of responses that their clients do not read. */
  unreadBytes: number
}

export const NO_LOAD: Readonly<Load> = { requests: 0, unreadBytes: 0 }

/** Beyond it, requests are refused. */
const MAX_UNREAD_BYTES = 16_777_216

/** Whether the request that was counted last is too many. */
const isFull = ({ requests, unreadBytes }: Load, maxInFlight: number): boolean =>
  requests > maxInFlight || unreadBytes > MAX_UNREAD_BYTES

/** The body, within the limit, or why there is none. */
export type Body = E.Either<HttpFailure | Defect, Uint8Array>

export const INCOMPLETE: Body = E.left({ _tag: 'BadRequest', reason: 'the body did not arrive whole' })

/** How a request is reported whose connection was lost before its body was whole: nobody gets a response, and it was not malformed. */
const LOST = { status: 499, code: 'connection_lost' } as const

/** A request before anything is known about it. */
export interface Received extends Pick<HttpRequest, 'method' | 'path' | 'query' | 'header' | 'baseUrl'> {
  /** The lines of each are joined. */
  readonly headers: IncomingHttpHeaders
  /** Empty if it is unknown. */
  readonly peerAddress: string
  /** The path at which the service is mounted, before `/v1`. */
  readonly prefix?: string
  /** Whether the request expects nothing, or only to be told when to send its body. */
  readonly isExpectationMet: boolean
  /** Reads the body: called once, and only after all checks that do without it. Sends `100 Continue`. */
  readonly body: () => Promise<Body>
}

export interface Handled {
  readonly reply: Reply
  readonly requestId: string
  /**
   * Call it once, in the asynchronous context of the request, when the reply was handed over or will not be: with the number of
   * body bytes sent, or with undefined if the request has got another reply meanwhile.
   */
  readonly sent: (bytes: number | undefined) => void
}

/** Never rejects. */
export type Handle = (received: Received) => Promise<Handled>

const EXPECTATION_FAILED: Result = E.left({ _tag: 'ExpectationFailed' })
const OVERLOADED: Result = E.left({ _tag: 'Overloaded' })

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
      // to refuse a preflight is to refuse what its page would ask next, with a good key
      const failure = isProbe || isOfPage ? undefined : await callers.strangerFailure(request)
      if (failure !== undefined) return E.left(failure)
      // `return await` spares two turns of the microtask queue that a returned promise costs
      if (route !== undefined) return isExpectationMet ? await route.endpoint(request) : EXPECTATION_FAILED
      // `OPTIONS *` is about the whole server (RFC 9110 §9.3.7); without its preflight, a page could not read the 404 of an unknown path
      const isForAny = path === '*' || (isOfPage && match === undefined)
      const allow = isForAny ? EVERY_METHOD : match?.target.allow
      if (method === 'OPTIONS' && allow !== undefined) return isExpectationMet ? noContent(allow) : EXPECTATION_FAILED
      return E.left(
        match === undefined
          ? { _tag: 'RouteNotFound', hasPages }
          : { _tag: 'MethodNotAllowed', allow: match.target.allow },
      )
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

  /** With the headers that all replies of a route, to a caller or to an origin have. */
  const replyTo = (
    request: HttpRequest,
    result: Result,
    deprecation: PathRoutes['deprecation'],
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
    let places = match?.target.isProbe === true ? 0 : 1
    load.requests += places
    const leave = (): void => {
      load.requests -= places
      places = 0
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
      id: requestIdOf(headers['x-request-id']?.toString()),
    }
    const facts: CallerFacts = { keyId: undefined, invalidKey: undefined, rate: undefined }
    let result: Result
    // the only place that catches exceptions of endpoints
    try {
      const found = await call(request, match, received, facts)
      // a store in JavaScript may fail with any error
      result = E.isLeft(found) && !('_tag' in found.left) ? E.left({ _tag: 'Defect', cause: found.left }) : found
    } catch (cause) {
      result = E.left({ _tag: 'Defect', cause })
    }
    if (E.isLeft(result) && 'cause' in result.left) observer.failed(result.left.cause, request.id)
    const reply = replyTo(request, result, match?.target.deprecation, facts.rate, received.prefix)
    // open streams have a bound of their own
    if (isStream(reply.body)) leave()
    return {
      reply,
      requestId: request.id,
      sent: (bytes) => {
        leave()
        if (bytes === undefined) return
        const { keyId, invalidKey } = facts
        const milliseconds = performance.now() - start
        // a handler without sockets may not know the peer
        const clientAddress = forwarded ?? (invalidKey && (request.clientAddress || undefined))
        const traceId = traceIdOf(headers['traceparent']?.toString())
        const rest = { bytes, milliseconds, keyId, clientAddress, traceId }
        const isLost = result === INCOMPLETE && bytes === 0
        observer.responded(reportOf(request, match?.target, isLost ? { ...reply, ...LOST } : reply, invalidKey, rest))
      },
    }
  }
}

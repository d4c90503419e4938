// Turns a request into its answer, in the order of checks in openapi.yaml: route, method, load, key, scope, rate, headers, body,
// domain. Adds the headers that all answers of a route have.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Scope } from '../../domain/api-keys/api-key.js'
import type { Authenticate, Caller } from '../../domain/api-keys/authenticate.js'
import { credentialsOf } from './access/credentials.js'
import { makeRateLimit, type RateState, rateLimitFields } from './access/rate-limit.js'
import { corsFields } from './cors.js'
import type { Outcome } from './endpoints/endpoint.js'
import { makeErrorReply } from './error-reply.js'
import type { AnyFailure } from './http-failure.js'
import type { HeaderFields, Reply } from './messages/reply.js'
import type { HttpRequest } from './messages/request.js'
import type { Answered } from './observer.js'
import { EVERY_METHOD, type PathRoutes } from './path-routes.js'
import type { Deprecation } from './routes.js'
import type { AppSettings } from './settings.js'

export interface Answer {
  readonly reply: Reply
  /** The id of the caller's key, for the log. */
  readonly keyId: string | undefined
  /** The cause of a defect or an outage, only for the log. */
  readonly cause: O.Option<unknown>
}

/** Facts about a request that the checks establish. */
interface Exchange {
  readonly request: HttpRequest
  /** Undefined: no such path. */
  readonly target: PathRoutes | undefined
  keyId: string | undefined
  rate: RateState | undefined
}

/** Describes an answer to the observer. The last argument is known only to the server. */
export const answeredOf = (
  { id, method, path }: Pick<HttpRequest, 'id' | 'method' | 'path'>,
  target: PathRoutes | undefined,
  { reply, keyId }: Pick<Answer, 'reply' | 'keyId'>,
  {
    bytes,
    milliseconds,
    clientAddress,
    traceId,
  }: Pick<Answered, 'bytes' | 'milliseconds' | 'clientAddress' | 'traceId'>,
): Answered => ({
  requestId: id,
  method,
  path,
  route: target?.path ?? 'unmatched',
  isProbe: target?.isProbe ?? false,
  isDeprecated: target?.deprecation !== undefined,
  status: reply.status,
  code: reply.code,
  remark: reply.remark,
  bytes,
  milliseconds,
  keyId,
  clientAddress,
  traceId,
})

const EXPECTATION_FAILED: Outcome = E.left({ _tag: 'ExpectationFailed' })

const noContent = (allow: string): Outcome => E.right({ status: 204, headers: [['Allow', allow]] })

const fieldsOf = ({ since, sunset, successor }: Deprecation, baseUrl: string): HeaderFields => {
  // the policy is next to `/v1`, with which every base address ends
  const policy = `${baseUrl.slice(0, -'/v1'.length)}/docs`
  return [
    ['Deprecation', since],
    ['Sunset', sunset],
    ['Link', `<${policy}>; rel="deprecation", <${baseUrl}${successor}>; rel="successor-version"`],
  ]
}

/** The headers of a deprecation. Caches those of the last base address, because nearly all requests have the same one. */
const makeDeprecationFields = (): typeof fieldsOf => {
  let last: { readonly deprecation: Deprecation; readonly baseUrl: string; readonly fields: HeaderFields } | undefined
  return (deprecation, baseUrl) => {
    if (last?.deprecation !== deprecation || last.baseUrl !== baseUrl)
      last = { deprecation, baseUrl, fields: fieldsOf(deprecation, baseUrl) }
    return last.fields
  }
}

type AnswerSettings = Pick<AppSettings, 'corsOrigins' | 'maxInFlight' | 'publicUrl' | 'rateLimit'>

export const makeAnswering = (
  authenticate: Authenticate,
  { corsOrigins, maxInFlight, publicUrl, rateLimit }: AnswerSettings,
): ((target: PathRoutes | undefined, request: HttpRequest) => Promise<Answer>) => {
  const countRequest = rateLimit && makeRateLimit(rateLimit)
  const countWrongKey = rateLimit && makeRateLimit(rateLimit)
  const errorReply = makeErrorReply(publicUrl)
  const deprecationFields = makeDeprecationFields()
  let inFlight = 0

  /** Refuses an invalid key. Too many from one address get 429; valid keys from there are not affected. */
  const refuseKey = async <F extends AnyFailure>(failure: F, { clientAddress }: HttpRequest) => {
    if (failure._tag !== 'InvalidApiKey' || countWrongKey === undefined) return E.left(failure)
    const state = await countWrongKey(clientAddress)
    return E.left(state.isExceeded ? ({ _tag: 'RateLimited', state } as const) : failure)
  }

  const callerOf = async (exchange: Exchange, scope: Scope): Promise<E.Either<AnyFailure, Caller>> => {
    const credentials = credentialsOf(exchange.request)
    if (E.isLeft(credentials)) return refuseKey(credentials.left, exchange.request)
    const caller = await authenticate(credentials.right)()
    if (E.isLeft(caller)) return refuseKey(caller.left, exchange.request)
    const { keyId, scopes } = caller.right
    exchange.keyId = keyId
    if (!scopes.includes(scope)) return E.left({ _tag: 'InsufficientScope', required: scope })
    if (countRequest === undefined) return caller
    const state = await countRequest(keyId)
    if (state.isExceeded) return E.left({ _tag: 'RateLimited', state })
    exchange.rate = state
    return caller
  }

  const call = async (exchange: Exchange): Promise<Outcome> => {
    const { request, target } = exchange
    const { method, isExpectationMet } = request
    if (target === undefined) {
      // `OPTIONS *` is about the whole server (RFC 9110 §9.3.7)
      const isForServer = method === 'OPTIONS' && request.path === '*'
      return isForServer ? noContent(EVERY_METHOD) : E.left({ _tag: 'RouteNotFound' })
    }
    if (method === 'OPTIONS') return noContent(target.allow)
    const route = target.byMethod.get(method)
    if (route === undefined) return E.left({ _tag: 'MethodNotAllowed', allow: target.allow })
    if (inFlight > maxInFlight && !(route._tag === 'Public' && route.isProbe)) return E.left({ _tag: 'Overloaded' })
    // `return await` spares two turns of the microtask queue that a returned promise costs
    if (route._tag === 'Public') return isExpectationMet ? await route.endpoint(request) : EXPECTATION_FAILED
    const caller = await callerOf(exchange, route.scope)
    if (E.isLeft(caller)) return caller
    if (!isExpectationMet) return EXPECTATION_FAILED
    return await route.endpoint(request, caller.right)
  }

  const answerOf = ({ request, target, keyId, rate }: Exchange, outcome: Outcome): Answer => {
    const reply = E.isLeft(outcome) ? errorReply(outcome.left, request.id) : outcome.right
    const hasCause = E.isLeft(outcome) && (outcome.left._tag === 'Defect' || outcome.left._tag === 'Unavailable')
    const cause = hasCause ? O.some(outcome.left.cause) : O.none
    const deprecation = target?.deprecation
    if (corsOrigins.length === 0 && deprecation === undefined && rate === undefined) return { reply, keyId, cause }
    const headers = [
      ...reply.headers,
      ...(deprecation === undefined ? [] : deprecationFields(deprecation, request.baseUrl)),
      ...(rate === undefined ? [] : rateLimitFields(rate)),
      ...corsFields(corsOrigins, request, reply.headers),
    ]
    const { status, body, code, remark } = reply
    return { reply: { status, headers, body, code, remark }, keyId, cause }
  }

  return async (target, request) => {
    inFlight += 1
    const exchange: Exchange = { request, target, keyId: undefined, rate: undefined }
    let outcome: Outcome
    // the only place that catches exceptions of endpoints
    try {
      outcome = await call(exchange)
    } catch (cause) {
      outcome = E.left({ _tag: 'Defect', cause })
    }
    inFlight -= 1
    return answerOf(exchange, outcome)
  }
}

// Turns a request into its answer, in the order of checks in openapi.yaml: route, method, load, key, scope, rate, headers, body,
// domain. Adds the headers that all answers of a route have.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Scope } from '../../domain/api-keys/api-key.js'
import type { Authenticate, Caller } from '../../domain/api-keys/authenticate.js'
import { credentialsOf } from './access/credentials.js'
import { makeRateLimit, type RateState, rateLimitFields } from './access/rate-limit.js'
import type { RefusedKey } from './answered.js'
import { corsFields } from './cors.js'
import { makeDeprecationFields } from './deprecation.js'
import type { Outcome } from './endpoints/endpoint.js'
import { makeErrorReply } from './error-reply.js'
import type { AnyFailure } from './http-failure.js'
import { networkOf } from './messages/addresses.js'
import { type HttpRequest, type Reply, withFields } from './messages/message.js'
import { EVERY_METHOD } from './messages/methods.js'
import type { PathRoutes } from './path-routes.js'
import type { AppSettings } from './settings.js'

export interface Answer {
  readonly reply: Reply
  /** The id of the caller's key, for the log. */
  readonly keyId: string | undefined
  readonly refused: RefusedKey | undefined
  /** The cause of a defect or an outage, only for the log. */
  readonly cause: O.Option<unknown>
}

/** Facts about a request that the checks establish. */
interface Checked {
  readonly request: HttpRequest
  /** Undefined: no such path. */
  readonly target: PathRoutes | undefined
  keyId: string | undefined
  refused: RefusedKey | undefined
  rate: RateState | undefined
}

const EXPECTATION_FAILED: Outcome = E.left({ _tag: 'ExpectationFailed' })

const noContent = (allow: string): Outcome => E.right({ status: 204, headers: [['Allow', allow]] })

/** Resolves when the caller may cause work; undefined: that is now. */
type ShareOf = (lineage: string) => Promise<void> | undefined

type AnswerSettings = Pick<AppSettings, 'corsOrigins' | 'publicUrl' | 'rateLimit'>

export const makeAnswering = (
  authenticate: Authenticate,
  { corsOrigins, publicUrl, rateLimit }: AnswerSettings,
  shareOf: ShareOf,
): ((target: PathRoutes | undefined, request: HttpRequest) => Promise<Answer>) => {
  const countRequest = rateLimit && makeRateLimit(rateLimit)
  const countWrongKey = rateLimit && makeRateLimit(rateLimit)
  const countAnonymous = rateLimit && makeRateLimit(rateLimit)
  const errorReply = makeErrorReply(publicUrl)
  const deprecationFields = makeDeprecationFields()

  /** Refuses an invalid key. Too many from one address get 429; valid keys from there are not affected. */
  const refuseKey = async <F extends AnyFailure>(failure: F, checked: Checked) => {
    if (failure._tag !== 'InvalidApiKey') return E.left(failure)
    const { clientAddress } = checked.request
    checked.refused = { key: failure, clientAddress }
    if (countWrongKey === undefined) return E.left(failure)
    const state = await countWrongKey(networkOf(clientAddress))
    return E.left(state.isExceeded ? ({ _tag: 'RateLimited', state } as const) : failure)
  }

  const callerOf = async (checked: Checked, scope: Scope): Promise<E.Either<AnyFailure, Caller>> => {
    const credentials = credentialsOf(checked.request)
    if (E.isLeft(credentials)) return refuseKey(credentials.left, checked)
    const caller = await authenticate(credentials.right)()
    if (E.isLeft(caller)) return refuseKey(caller.left, checked)
    const { keyId, lineage, scopes } = caller.right
    checked.keyId = keyId
    if (!scopes.includes(scope)) return E.left({ _tag: 'InsufficientScope', required: scope })
    if (countRequest === undefined) return caller
    const state = await countRequest(lineage)
    if (state.isExceeded) return E.left({ _tag: 'RateLimited', state })
    checked.rate = state
    return caller
  }

  /** Whether an address asks too often for what needs no key. */
  const refuseStranger = async ({ clientAddress }: HttpRequest): Promise<Outcome | undefined> => {
    const state = await countAnonymous?.(networkOf(clientAddress))
    return state?.isExceeded === true ? E.left({ _tag: 'RateLimited', state }) : undefined
  }

  const call = async (checked: Checked): Promise<Outcome> => {
    const { request, target } = checked
    const { method, isExpectationMet } = request
    if (target === undefined) {
      const refusal = await refuseStranger(request)
      if (refusal !== undefined) return refusal
      // `OPTIONS *` is about the whole server (RFC 9110 §9.3.7)
      const isForServer = method === 'OPTIONS' && request.path === '*'
      return isForServer ? noContent(EVERY_METHOD) : E.left({ _tag: 'RouteNotFound' })
    }
    if (method === 'OPTIONS') return noContent(target.allow)
    const route = target.byMethod.get(method)
    if (route === undefined) return E.left({ _tag: 'MethodNotAllowed', allow: target.allow })
    if (request.isSurplus() && !(route._tag === 'Public' && route.isProbe)) return E.left({ _tag: 'Overloaded' })
    // `return await` spares two turns of the microtask queue that a returned promise costs
    if (route._tag === 'Public') {
      const refusal = route.isProbe ? undefined : await refuseStranger(request)
      return refusal ?? (isExpectationMet ? await route.endpoint(request) : EXPECTATION_FAILED)
    }
    const caller = await callerOf(checked, route.scope)
    if (E.isLeft(caller)) return caller
    if (!isExpectationMet) return EXPECTATION_FAILED
    const turn = shareOf(caller.right.lineage)
    if (turn !== undefined) {
      await turn
      // others were answered meanwhile, and perhaps nobody reads that
      if (request.isSurplus()) return E.left({ _tag: 'Overloaded' })
    }
    return await route.endpoint(request, caller.right)
  }

  const answerOf = ({ request, target, keyId, refused, rate }: Checked, outcome: Outcome): Answer => {
    const reply = E.isLeft(outcome) ? errorReply(outcome.left, request.id) : outcome.right
    const hasCause = E.isLeft(outcome) && (outcome.left._tag === 'Defect' || outcome.left._tag === 'Unavailable')
    const cause = hasCause ? O.some(outcome.left.cause) : O.none
    const deprecation = target?.deprecation
    if (corsOrigins.length === 0 && deprecation === undefined && rate === undefined)
      return { reply, keyId, refused, cause }
    const headers = [
      ...(deprecation === undefined
        ? reply.headers
        : withFields(reply.headers, deprecationFields(deprecation, request.baseUrl))),
      ...(rate === undefined ? [] : rateLimitFields(rate)),
      ...corsFields(corsOrigins, request, reply.headers),
    ]
    const { status, body, stream, code, detail } = reply
    return { reply: { status, headers, body, stream, code, detail }, keyId, refused, cause }
  }

  return async (target, request) => {
    const checked: Checked = { request, target, keyId: undefined, refused: undefined, rate: undefined }
    let outcome: Outcome
    // the only place that catches exceptions of endpoints
    try {
      outcome = await call(checked)
    } catch (cause) {
      outcome = E.left({ _tag: 'Defect', cause })
    }
    return answerOf(checked, outcome)
  }
}

// Finds the caller of a request by its API key (RFC 6750 §2.1), and counts the request: per key, or per address without a valid one.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Scope } from '../../../domain/api-keys/api-key.js'
import type { Caller } from '../../../domain/api-keys/authenticate.js'
import type { InvalidApiKey } from '../../../domain/errors.js'
import type { AnyFailure, HttpFailure } from '../failures.js'
import { networkOf } from '../messages/addresses.js'
import type { HttpRequest } from '../messages/message.js'
import type { FindCaller } from './authentication-cache.js'
import { makeRateLimit, type RateLimitSettings, type RateState } from './rate-limit.js'

const BEARER = /^Bearer +(\S+)$/i

const MALFORMED: InvalidApiKey = { _tag: 'InvalidApiKey', reason: 'malformed', keyId: O.none }

/** The text of the bearer credential. Anything else that is not empty is an invalid key. */
export const credentialsOf = (request: Pick<HttpRequest, 'header'>): E.Either<HttpFailure | InvalidApiKey, string> => {
  const lines = request.header('authorization')
  const [line = ''] = lines
  if (line === '' && lines.length < 2) return E.left({ _tag: 'MissingApiKey' })
  const keyText = lines.length === 1 ? BEARER.exec(line)?.[1] : undefined
  return keyText === undefined ? E.left(MALFORMED) : E.right(keyText)
}

/** Facts about the caller, for the report and the headers of the reply. */
export interface CallerFacts {
  keyId: string | undefined
  invalidKey: InvalidApiKey | undefined
  rate: RateState | undefined
}

type Found = E.Either<AnyFailure, Caller>

export const makeCallers = (authenticate: FindCaller, rateLimit: RateLimitSettings | undefined) => {
  const countRequest = rateLimit && makeRateLimit(rateLimit)
  const countWrongKey = rateLimit && makeRateLimit(rateLimit)
  const countStranger = rateLimit && makeRateLimit(rateLimit)

  const limited = async (
    count: ReturnType<typeof makeRateLimit> | undefined,
    { clientAddress }: HttpRequest,
  ): Promise<AnyFailure | undefined> => {
    const state = await count?.(networkOf(clientAddress))
    return state?.isExceeded === true ? { _tag: 'RateLimited', state } : undefined
  }

  /** Too many invalid keys from one address get 429; valid keys from there are not affected. */
  const refuse = (failure: AnyFailure, request: HttpRequest, facts: CallerFacts): Found | Promise<Found> => {
    if (failure._tag !== 'InvalidApiKey') return E.left(failure)
    facts.invalidKey = failure
    if (countWrongKey === undefined) return E.left(failure)
    return limited(countWrongKey, request).then((exceeded) => E.left(exceeded ?? failure))
  }

  const accept = (caller: Found, request: HttpRequest, scope: Scope, facts: CallerFacts): Found | Promise<Found> => {
    if (E.isLeft(caller)) return refuse(caller.left, request, facts)
    const { keyId, lineage, scopes } = caller.right
    facts.keyId = keyId
    if (!scopes.includes(scope)) return E.left({ _tag: 'InsufficientScope', required: scope })
    if (countRequest === undefined) return caller
    return countRequest(lineage).then((state) => {
      if (state.isExceeded) return E.left({ _tag: 'RateLimited', state })
      facts.rate = state
      return caller
    })
  }

  return {
    /** The caller, if the key is valid, has the scope and is within its rate. Notes facts in any case. */
    find: (request: HttpRequest, scope: Scope, facts: CallerFacts): Found | Promise<Found> => {
      const credentials = credentialsOf(request)
      if (E.isLeft(credentials)) return refuse(credentials.left, request, facts)
      const caller = authenticate(credentials.right)
      return caller instanceof Promise
        ? caller.then((found) => accept(found, request, scope, facts))
        : accept(caller, request, scope, facts)
    },
    /** The failure of an address that asks too often for what needs no key. */
    strangerFailure: (request: HttpRequest) => limited(countStranger, request),
  }
}

// Finds the caller of a request by its API key (RFC 6750 §2.1), and counts the request: per key, or per address without a valid one.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Scope } from '../../../domain/api-keys/api-key.js'
import type { Authenticate, Caller } from '../../../domain/api-keys/authenticate.js'
import type { InvalidApiKey } from '../../../domain/errors.js'
import type { AnyFailure, HttpFailure } from '../failures.js'
import { networkOf } from '../messages/addresses.js'
import type { HttpRequest } from '../messages/message.js'
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

export const makeCallers = (authenticate: Authenticate, rateLimit: RateLimitSettings | undefined) => {
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
  const refuse = async (failure: AnyFailure, request: HttpRequest, facts: CallerFacts) => {
    if (failure._tag !== 'InvalidApiKey') return E.left(failure)
    facts.invalidKey = failure
    // two promises fewer in a flood of wrong keys
    if (countWrongKey === undefined) return E.left(failure)
    return E.left((await limited(countWrongKey, request)) ?? failure)
  }

  return {
    /** The caller, if the key is valid, has the scope and is within its rate. Notes facts in any case. */
    find: async (request: HttpRequest, scope: Scope, facts: CallerFacts): Promise<E.Either<AnyFailure, Caller>> => {
      const credentials = credentialsOf(request)
      if (E.isLeft(credentials)) return refuse(credentials.left, request, facts)
      const caller = await authenticate(credentials.right)()
      if (E.isLeft(caller)) return refuse(caller.left, request, facts)
      const { keyId, lineage, scopes } = caller.right
      facts.keyId = keyId
      if (!scopes.includes(scope)) return E.left({ _tag: 'InsufficientScope', required: scope })
      if (countRequest === undefined) return caller
      const state = await countRequest(lineage)
      if (state.isExceeded) return E.left({ _tag: 'RateLimited', state })
      facts.rate = state
      return caller
    },
    /** The failure of an address that asks too often for what needs no key. */
    strangerFailure: (request: HttpRequest) => limited(countStranger, request),
  }
}

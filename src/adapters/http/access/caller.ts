// Finds the caller of a request by its API key (RFC 6750 §2.1), and counts requests per key or else per address.
// A cache of our own: lru-cache's `fetch`, set to this clock and to keep no failures, takes twice as long per hit.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Scope } from '../../../domain/api-keys/api-key.js'
import { type Authenticate, type Caller, namedKeyId } from '../../../domain/api-keys/authenticate.js'
import type { InvalidApiKey } from '../../../domain/errors.js'
import { setBounded } from '../../../domain/set-bounded.js'
import type { Clock } from '../../../ports/clock.js'
import type { AnyFailure, HttpFailure } from '../failures.js'
import type { HttpRequest } from '../messages/message.js'
import { networkOf } from './client-address.js'
import { makeRateLimit, type RateLimitSettings, type RateState } from './rate-limit.js'

/** Maximum age of a cached result, in milliseconds. */
const LIFETIME_MS = 4_000
const CAPACITY = 10_000

type LookUp = ReturnType<ReturnType<Authenticate>>

/** Returns a cached caller without a promise, which would cost each request 0.3 µs. */
export type FindCaller = (keyText: string) => LookUp | Awaited<LookUp>

interface Entry {
  expiresAt: number
  result: LookUp | Awaited<LookUp>
}

/**
 * Caches valid keys; concurrent calls with one key share one look-up. Uses the monotonic clock, because a wall clock
 * that is set back would prolong the life of a revoked key.
 */
export const authenticationCache = (authenticate: Authenticate, clock: Pick<Clock, 'monotonicMs'>): FindCaller => {
  const entries = new Map<string, Entry>()

  const ask = (keyText: string, now: number): LookUp => {
    const result = authenticate(keyText)()
    const entry: Entry = { expiresAt: now + LIFETIME_MS, result }
    setBounded(entries, CAPACITY, keyText, entry)
    const forget = (): void => {
      if (entries.get(keyText) === entry) entries.delete(keyText)
    }
    const keep = (either: Awaited<LookUp>): void => {
      entry.result = either
      // failures are not cached, and no entry outlives its key
      if (E.isLeft(either)) forget()
      else entry.expiresAt = Math.min(entry.expiresAt, now + either.right.validMs)
    }
    result.then(keep, forget)
    return result
  }

  return (keyText) => {
    const now = clock.monotonicMs()
    const known = entries.get(keyText)
    if (known !== undefined && now < known.expiresAt) return known.result
    const named = namedKeyId(keyText)
    return E.isLeft(named) ? named : ask(keyText, now)
  }
}

/** For servers without keyed routes, such as that of the metrics. */
export const findNobody: FindCaller = () => E.left(MALFORMED)

const BEARER = /^Bearer +(\S+)$/i

const MALFORMED: InvalidApiKey = { _tag: 'InvalidApiKey', reason: 'malformed', keyId: O.none }

/** The API key as sent. Any other non-empty credential is an invalid key. */
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
  /** By address, and by key if the scope is missing. */
  const countRefused = rateLimit && makeRateLimit(rateLimit)
  const countStranger = rateLimit && makeRateLimit(rateLimit)

  const limited = async (
    count: ReturnType<typeof makeRateLimit> | undefined,
    { clientAddress }: HttpRequest,
  ): Promise<AnyFailure | undefined> => {
    const state = await count?.(networkOf(clientAddress))
    return state?.isExceeded === true ? { _tag: 'RateLimited', state } : undefined
  }

  /** Too many missing or invalid keys from one address get 429; valid keys from there are not affected. */
  const refuse = (failure: AnyFailure, request: HttpRequest, facts: CallerFacts): Found | Promise<Found> => {
    if (failure._tag === 'InvalidApiKey') facts.invalidKey = failure
    else if (failure._tag !== 'MissingApiKey') return E.left(failure)
    if (countRefused === undefined) return E.left(failure)
    return limited(countRefused, request).then((exceeded) => E.left(exceeded ?? failure))
  }

  const accept = (caller: Found, request: HttpRequest, scope: Scope, facts: CallerFacts): Found | Promise<Found> => {
    if (E.isLeft(caller)) return refuse(caller.left, request, facts)
    const { keyId, lineage, scopes } = caller.right
    facts.keyId = keyId
    const missing: Found | undefined = scopes.includes(scope)
      ? undefined
      : E.left({ _tag: 'InsufficientScope', required: scope })
    if (countRequest === undefined || countRefused === undefined) return missing ?? caller
    return countRequest(lineage).then(async (state) => {
      // the scope is checked before the rate, but such requests have a limit of their own, too
      const limit = missing === undefined ? state : await countRefused(lineage)
      if (limit.isExceeded) return E.left({ _tag: 'RateLimited', state: limit })
      facts.rate = state
      return missing ?? caller
    })
  }

  return {
    /** The caller, if the key is valid, has the scope and is within its rate. Fills in `facts`, also on failure. */
    find: (request: HttpRequest, scope: Scope, facts: CallerFacts): Found | Promise<Found> => {
      const credentials = credentialsOf(request)
      if (E.isLeft(credentials)) return refuse(credentials.left, request, facts)
      const caller = authenticate(credentials.right)
      return caller instanceof Promise
        ? caller.then((found) => accept(found, request, scope, facts))
        : accept(caller, request, scope, facts)
    },
    /** A failure if this address exceeds the rate of requests that need no key. */
    strangerFailure: (request: HttpRequest) => limited(countStranger, request),
  }
}

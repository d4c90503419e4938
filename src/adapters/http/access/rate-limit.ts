// Limits requests per API key or, without a valid key, per client address, in the memory of this process.
import type { TokenBucket } from 'limiter'
import { setBounded } from '../../../domain/set-bounded.js'
import type { HeaderFields } from '../messages/message.js'

export interface RateLimitSettings {
  /** Requests per second, on average. */
  readonly perSecond: number
  /** Requests that may arrive at once. */
  readonly burst: number
}

/** The state of a quota after a request was counted. */
export interface RateState {
  readonly isExceeded: boolean
  readonly remaining: number
  /** Until one more request is available. */
  readonly resetsInSeconds: number
  readonly policy: { readonly quota: number; readonly windowSeconds: number }
}

/** Counts a request of this key or address. Rejects if the package limiter is missing. */
export type CountRequest = (id: string) => Promise<RateState>

/** Buckets kept. An evicted id, the least recently used, starts with a full bucket again. */
const CAPACITY = 10_000

/** Embedders need not install limiter. Bundlers tolerate an import that they cannot resolve only inside `try`. */
const load = async () => {
  try {
    return await import('limiter')
  } catch (cause) {
    throw new Error('a rate limit needs the package limiter: npm install limiter', { cause })
  }
}

/** Rejects if limiter is not installed. Returns nothing, so that our types do not depend on an optional package. */
export const loadLimiter = async (): Promise<void> => void (await load())

/** A bucket of `burst` requests per id, refilled at `perSecond`. RangeError if it would limit nothing or everything. */
export const makeRateLimit = ({ perSecond, burst }: RateLimitSettings): CountRequest => {
  if (!(perSecond > 0 && perSecond < Number.POSITIVE_INFINITY && burst >= 1))
    throw new RangeError('rateLimit: wanted a perSecond above 0 and a burst of at least 1')
  // loaded only where there is a limit
  const loading = load()
  // each limited request rejects with the reason; an unhandled rejection before that would end the process
  loading.catch(() => {})
  const buckets = new Map<string, TokenBucket>()
  const windowSeconds = burst / perSecond
  // the header has whole seconds, so a shorter window is described by its rate
  const policy =
    windowSeconds < 1
      ? { quota: perSecond, windowSeconds: 1 }
      : { quota: burst, windowSeconds: Math.ceil(windowSeconds) }
  const fullBucket = (Bucket: typeof TokenBucket): TokenBucket => {
    const bucket = new Bucket({ bucketSize: burst, tokensPerInterval: perSecond, interval: 1_000 })
    bucket.content = burst
    return bucket
  }
  return async (id) => {
    const { TokenBucket } = await loading
    const bucket = buckets.get(id) ?? fullBucket(TokenBucket)
    setBounded(buckets, CAPACITY, id, bucket)
    const isExceeded = !bucket.tryRemoveTokens(1)
    const remaining = Math.floor(bucket.content)
    const waitMs = bucket.getWaitTime(remaining + 1)
    return { isExceeded, remaining, resetsInSeconds: Math.max(1, Math.ceil(waitMs / 1_000)), policy }
  }
}

/** The fields of draft-ietf-httpapi-ratelimit-headers-10. */
export const rateLimitFields = ({ remaining, resetsInSeconds, policy }: RateState): HeaderFields => [
  ['RateLimit', `"default";r=${remaining};t=${resetsInSeconds}`],
  ['RateLimit-Policy', `"default";q=${policy.quota};w=${policy.windowSeconds}`],
]

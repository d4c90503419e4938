// Limits requests per API key, and those without a good one per client address, in the memory of this process.
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

/** Counts a request of this key or address. */
export type CountRequest = (id: string) => Promise<RateState>

/** Ids whose buckets are kept. The least recently used ones are forgotten, and have a full bucket again. */
const CAPACITY = 10_000

/** An embedder may leave limiter out. Bundlers leave an import out that they cannot resolve only if it is in a `try`. */
const load = async () => {
  try {
    return await import('limiter')
  } catch (cause) {
    throw new Error('a rate limit needs the package limiter: npm install limiter', { cause })
  }
}

/** Rejects without limiter. Its type names no package that an embedder need not have. */
export const loadLimiter = async (): Promise<void> => void (await load())

/** A bucket of `burst` requests for each id, refilled continuously at `perSecond`. Throws if it would be a limit of none or of all. */
export const makeRateLimit = ({ perSecond, burst }: RateLimitSettings): CountRequest => {
  if (!(perSecond > 0 && perSecond < Number.POSITIVE_INFINITY && burst >= 1))
    throw new RangeError('rateLimit: wanted a perSecond above 0 and a burst of at least 1')
  // loaded only where there is a limit
  const loading = load()
  // each limited request fails with the reason; unhandled before the first one, it would end the process
  loading.catch(() => {})
  const buckets = new Map<string, TokenBucket>()
  const windowSeconds = burst / perSecond
  // a policy has whole seconds, so a shorter window is described by its rate
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

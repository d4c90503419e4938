// Limits requests per API key and wrong keys per client address, in the memory of this process.
import type { HeaderFields } from '../messages/reply.js'

/** @since 1.0.0 @category HTTP */
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
  readonly resetsInSeconds: number
  readonly policy: { readonly quota: number; readonly windowSeconds: number }
}

/** Counts a request of this key or address. */
export type CountRequest = (id: string) => Promise<RateState>

/** Allows `burst` requests per `burst / perSecond` seconds. The window of each id starts with its first request. */
export const makeRateLimit = ({ perSecond, burst }: RateLimitSettings): CountRequest => {
  const windowSeconds = burst / perSecond
  // loaded only where there is a limit, because it takes a tenth of a start
  const loading = import('rate-limiter-flexible').then(({ RateLimiterMemory, RateLimiterRes }) => ({
    limiter: new RateLimiterMemory({ points: burst, duration: windowSeconds }),
    RateLimiterRes,
  }))
  // each limited request fails with the reason; unhandled before the first one, it would end the process
  loading.catch(() => {})
  // a policy has whole seconds, so a shorter window is described by its rate
  const policy =
    windowSeconds < 1
      ? { quota: perSecond, windowSeconds: 1 }
      : { quota: burst, windowSeconds: Math.ceil(windowSeconds) }
  return async (id) => {
    const { limiter, RateLimiterRes } = await loading
    // the library rejects with the state itself if the quota is exceeded
    const state = await limiter.consume(id).catch((refusal: unknown) => {
      if (refusal instanceof RateLimiterRes) return refusal
      throw refusal
    })
    return {
      isExceeded: state.consumedPoints > burst,
      remaining: state.remainingPoints,
      resetsInSeconds: Math.max(1, Math.ceil(state.msBeforeNext / 1_000)),
      policy,
    }
  }
}

/** The fields of draft-ietf-httpapi-ratelimit-headers-10. */
export const rateLimitFields = ({ remaining, resetsInSeconds, policy }: RateState): HeaderFields => [
  ['RateLimit', `"default";r=${remaining};t=${resetsInSeconds}`],
  ['RateLimit-Policy', `"default";q=${policy.quota};w=${policy.windowSeconds}`],
]

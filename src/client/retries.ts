// Retries a call until it succeeds, must not be retried, or runs out of time.
import { type AttemptSettings, aborted, attempt, type Call, failed, isRepeatable, type Reply } from './attempt.js'
import type { ClientError, Result } from './client-error.js'
import { type Platform, pause } from './platform.js'

export interface RetrySettings {
  /** For one attempt. */
  readonly attemptTimeoutMs: number
  /** For a call with all its attempts and the waits between them. */
  readonly timeoutMs: number
  readonly maxAttempts: number
  /** Upper bound of the random wait after a failure; it doubles with each further failure, up to `maxMs`. */
  readonly backOff: { readonly initialMs: number; readonly maxMs: number }
}

/** Statuses of replies that are retried without a limit (docs/errors.md); 502 and 504 come from a proxy in front of the service. */
const RETRIED: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

export const retriesAfter = (error: ClientError): number => {
  switch (error._tag) {
    case 'network':
    case 'timeout':
      return Number.POSITIVE_INFINITY
    case 'aborted':
    case 'invalid_request':
      return 0
    default:
      if (RETRIED.has(error.status)) return Number.POSITIVE_INFINITY
      return error.status === 500 ? 1 : 0
  }
}

/** Full jitter, so that clients that failed together return at different times. `Retry-After` is the minimum. */
export const waitAfter = (
  error: ClientError,
  failures: number,
  { initialMs, maxMs }: RetrySettings['backOff'],
  random: number,
): number =>
  ('retryAfterMs' in error ? (error.retryAfterMs ?? 0) : 0) + random * Math.min(maxMs, initialMs * 2 ** (failures - 1))

/** The result of the last attempt. A call that is not idempotent has one attempt. All attempts send the same request. */
export const withRetries = async (
  platform: Platform,
  call: Call,
  { apiKey, signal }: Pick<AttemptSettings, 'apiKey' | 'signal'>,
  { attemptTimeoutMs, timeoutMs, maxAttempts, backOff }: RetrySettings,
): Promise<Result<Reply>> => {
  const deadline = platform.now() + timeoutMs
  let limitedRetries = 0
  for (let attempts = 1; ; attempts += 1) {
    const leftMs = deadline - platform.now()
    const result = await attempt(platform, call, { apiKey, signal, timeoutMs: Math.min(attemptTimeoutMs, leftMs) })
    if (result.ok || !isRepeatable(call)) return result
    const retries = retriesAfter(result.error)
    if (retries < Number.POSITIVE_INFINITY) limitedRetries += 1
    if (limitedRetries > retries || attempts >= maxAttempts) return result
    const wait = waitAfter(result.error, attempts, backOff, platform.random())
    // the failure tells the caller more than a wait that cannot help
    if (platform.now() + wait >= deadline) return result
    await pause(platform.schedule, wait, signal)
    if (signal?.aborted === true) return failed(aborted(signal))
    if (platform.now() >= deadline) return result
  }
}

// Caches valid keys for a few seconds, so that most requests need no look-up. A revoked key works no longer than that.
// Written by hand: `fetch` of lru-cache, with this clock and without failures, takes about twice as long for each hit (measured).
import * as E from 'fp-ts/lib/Either.js'
import type { Authenticate } from '../../../domain/api-keys/authenticate.js'
import { setWithin } from '../../../domain/set-within.js'
import type { Clock } from '../../../ports/clock.js'

/** Milliseconds for which a result is used. */
const LIFETIME_MS = 4_000
const CAPACITY = 10_000

interface Entry {
  readonly expiresAt: number
  readonly result: ReturnType<ReturnType<Authenticate>>
}

/**
 * Returns the same results; concurrent calls with the same key share one look-up. Uses the monotonic clock, because a wall
 * clock that is set back would prolong the life of a revoked key.
 */
export const authenticationCache = (authenticate: Authenticate, clock: Pick<Clock, 'monotonicMs'>): Authenticate => {
  const entries = new Map<string, Entry>()

  const ask = (keyText: string, now: number): Entry['result'] => {
    const result = authenticate(keyText)()
    const entry = { expiresAt: now + LIFETIME_MS, result }
    setWithin(entries, CAPACITY, keyText, entry)
    const forget = (): void => {
      if (entries.get(keyText) === entry) entries.delete(keyText)
    }
    // failures are not cached
    void result.then((either) => E.isLeft(either) && forget(), forget)
    return result
  }

  return (keyText) => () => {
    const now = clock.monotonicMs()
    const known = entries.get(keyText)
    if (known !== undefined && now < known.expiresAt) return known.result
    entries.delete(keyText)
    return ask(keyText, now)
  }
}

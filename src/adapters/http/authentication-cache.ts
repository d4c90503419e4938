// Good keys are remembered for a few seconds, so that a request need not ask the store: a revoked key lives on no longer.
import * as E from 'fp-ts/lib/Either.js'
import type { Authenticate } from '../../domain/authenticate.js'
import type { Clock } from '../../ports/clock.js'

/** Milliseconds for which a verdict holds (where the contract is silent: a revoked key stops within seconds). */
const LIFETIME = 5_000
const CAPACITY = 10_000

interface Remembered {
  readonly until: number
  readonly verdict: ReturnType<ReturnType<Authenticate>>
}

/** The same verdicts, asked for once by all who come with the same key at the same time. */
export const rememberVerdicts = (authenticate: Authenticate, clock: Clock): Authenticate => {
  const remembered = new Map<string, Remembered>()

  const ask = (keyText: string, now: number): Remembered['verdict'] => {
    const verdict = authenticate(keyText)()
    const entry = { until: now + LIFETIME, verdict }
    // a map keeps the order of insertion: its first entry is the oldest
    const [oldest] = remembered.size < CAPACITY ? [] : remembered.keys()
    if (oldest !== undefined) remembered.delete(oldest)
    remembered.set(keyText, entry)
    const forget = (): void => {
      if (remembered.get(keyText) === entry) remembered.delete(keyText)
    }
    // what is refused or could not be answered is asked again the next time
    void verdict.then((outcome) => E.isLeft(outcome) && forget(), forget)
    return verdict
  }

  return (keyText) => () => {
    const now = clock.now()
    const known = remembered.get(keyText)
    // from below too: a clock that is set back must not prolong a verdict
    if (known !== undefined && now < known.until && now >= known.until - LIFETIME) return known.verdict
    remembered.delete(keyText)
    return ask(keyText, now)
  }
}

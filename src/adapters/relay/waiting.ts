// Pauses of the relay: interruptible, with back-off while something fails. Reports each outage once.
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { DurationMs } from '../../domain/codecs/scalar.js'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import type { Crypto } from '../../ports/crypto.js'
import type { Notify } from '../../ports/notice.js'

/** Calls a port; an exception counts as unavailable. */
export const defectAsUnavailable = async <A>(call: TaskEither<Unavailable, A>): Promise<E.Either<Unavailable, A>> => {
  try {
    return await call()
  } catch (defect) {
    return E.left(unavailable(defect))
  }
}

export interface BackOff {
  /** Delay after the first failure; doubles with each further one. */
  readonly initialMs: DurationMs
  readonly maxMs: DurationMs
}

/** Milliseconds to wait: 50 to 100 % of the delay at random, so that instances do not retry together. */
export const makeBackOff =
  (crypto: Pick<Crypto, 'randomBytes'>, { initialMs, maxMs }: BackOff) =>
  (failures: number): DurationMs => {
    const delayMs = Math.min(maxMs, initialMs * 2 ** (failures - 1))
    const random = crypto.randomBytes(4).reduce((value, byte) => (value + byte) / 256, 0)
    return Math.round((delayMs * (1 + random)) / 2)
  }

/** Failures of the store are errors. An unavailable receiver is only a warning, because events wait for it. */
export const OUTAGE_NOTICES = {
  log: { level: 'error', message: 'the log of events is unavailable' },
  position: { level: 'error', message: 'the position of the relay cannot be saved' },
  delivery: { level: 'warn', message: 'events cannot be delivered' },
} as const

export const RECOVERED = { level: 'info', message: 'event delivery has recovered' } as const

type Part = keyof typeof OUTAGE_NOTICES

export const makeOutageReport = (notify: Notify) => {
  const failing = new Set<Part>()
  let failures = 0
  return {
    /** `isPartial`: there was some progress. */
    fails: (part: Part, reason: unknown, isPartial = false): void => {
      failures = isPartial ? 1 : failures + 1
      if (!failing.has(part)) notify({ ...OUTAGE_NOTICES[part], details: { reason: String(reason) } })
      failing.add(part)
    },
    works: (part: Part): void => {
      if (!failing.delete(part) || failing.size > 0) return
      failures = 0
      notify({ ...RECOVERED, details: {} })
    },
    /** Consecutive failures, for the back-off. */
    failures: () => failures,
  }
}

export type OutageReport = ReturnType<typeof makeOutageReport>

export const makePause = () => {
  let [isStopped, isWoken] = [false, false]
  let endIfOver = (): void => {}

  const wait = (ms: DurationMs, isOver: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      endIfOver = () => {
        if (!isOver()) return
        clearTimeout(timer)
        resolve()
      }
      endIfOver()
    })

  return {
    isStopped: () => isStopped,
    /** Ends after the time or on a stop. */
    rest: (ms: DurationMs) => wait(ms, () => isStopped),
    /** Ends after the time, on a stop, or if `wake` was called since the last wait of this kind. */
    untilWoken: async (ms: DurationMs): Promise<void> => {
      await wait(ms, () => isStopped || isWoken)
      isWoken = false
    },
    wake: (): void => {
      isWoken = true
      endIfOver()
    },
    stop: (): void => {
      isStopped = true
      endIfOver()
    },
  }
}

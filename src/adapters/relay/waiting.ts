// How the relay waits: a pause that a wake-up or a stop ends early, and longer ones while a part fails, which is reported once per outage.
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { DurationMs } from '../../domain/codecs/scalar.js'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import type { Crypto } from '../../ports/crypto.js'
import type { Notify } from '../../ports/notice.js'

/** Calls a port; a defect of it counts as unavailable. */
export const attempt = async <A>(call: TaskEither<Unavailable, A>): Promise<E.Either<Unavailable, A>> => {
  try {
    return await call()
  } catch (defect) {
    return E.left(unavailable(defect))
  }
}

export interface BackOff {
  /** Delay after the first failure; it doubles with each further failure. */
  readonly initialMs: DurationMs
  readonly maxMs: DurationMs
}

/** Milliseconds to wait: half of the delay and up to as much again at random, so that instances do not retry together. */
export const makeBackOff =
  (crypto: Pick<Crypto, 'randomBytes'>, { initialMs, maxMs }: BackOff) =>
  (failures: number): DurationMs => {
    const delayMs = Math.min(maxMs, initialMs * 2 ** (failures - 1))
    const random = crypto.randomBytes(4).reduce((value, byte) => (value + byte) / 256, 0)
    return Math.round((delayMs * (1 + random)) / 2)
  }

/** What is lost without the store is an error; events that a receiver does not take yet only wait. */
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
    /** `isPartial`: something was achieved nevertheless. */
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
    /** Ends after the time or at a stop. */
    rest: (ms: DurationMs) => wait(ms, () => isStopped),
    /** Ends after the time, at a stop, or if `wake` was called since the last one ended. */
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

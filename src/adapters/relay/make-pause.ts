// Waits that a wake-up or a stop ends early.
import type { DurationMs } from '../../domain/codecs/scalar.js'

export const makePause = () => {
  let [isStopped, isWoken] = [false, false]
  let interrupt = (_isWake: boolean): void => {}

  const wait = async (ms: DurationMs, isWakeable: boolean): Promise<void> => {
    if (isStopped || (isWakeable && isWoken)) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      interrupt = (isWake) => {
        if (isWake && !isWakeable) return
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return {
    isStopped: () => isStopped,
    /** Ends after the time or at a stop. */
    rest: (ms: DurationMs) => wait(ms, false),
    /** Ends after the time, at a stop, or if `wake` was called since `heed`. */
    untilWoken: (ms: DurationMs) => wait(ms, true),
    /** Later calls of `wake` end the next `untilWoken`. */
    heed: (): void => {
      isWoken = false
    },
    wake: (): void => {
      isWoken = true
      interrupt(true)
    },
    stop: (): void => {
      isStopped = true
      interrupt(false)
    },
  }
}

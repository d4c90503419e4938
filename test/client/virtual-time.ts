// Virtual time: it jumps to the next timer when nothing else is left to do.
import { setImmediate as turn } from 'node:timers/promises'
import type { Platform } from '../../src/client/platform.js'

/** Turns of the event loop that complete all work without timers. */
const TURNS = 5

export const makeVirtualTime = () => {
  let now = 0
  const timers = new Map<() => void, number>()

  const passToNext = (): void => {
    const [next] = [...timers].toSorted(([, one], [, other]) => one - other)
    if (next === undefined) return
    const [run, at] = next
    now = Math.max(now, at)
    timers.delete(run)
    run()
  }

  return {
    now: () => now,
    schedule: ((delayMs, run) => {
      const once = (): void => run()
      timers.set(once, now + delayMs)
      return () => timers.delete(once)
    }) satisfies Platform['schedule'],
    whole: async <A>(work: Promise<A>): Promise<A> => {
      let isDone = false
      const done = work.finally(() => {
        isDone = true
      })
      for (;;) {
        for (let at = 0; at < TURNS; at += 1) await turn()
        if (isDone) return done
        passToNext()
      }
    },
  }
}

// A progress bar on stderr, if that is a terminal that can draw it.
import { takesEscapes } from '../../composition/terminal.js'

/** Shows how much of the work is done. */
export type Advance = (value: number, total: number) => void

/** An earlier estimate would jump. */
const FIRST_ESTIMATE_MS = 1_000

/** From the average rate since the start: that of the last few updates jumps. */
export const timeLeft = (elapsedMs: number, done: number, rest: number): string =>
  elapsedMs < FIRST_ESTIMATE_MS || done === 0 ? '' : `, ${Math.ceil((rest * elapsedMs) / done / 1_000)} s left`

export const withProgress = async <A>(things: string, work: (advance: Advance) => Promise<A>): Promise<A> => {
  if (!takesEscapes(process.stderr)) return work(() => {})
  const { default: progress } = await import('cli-progress')
  const bar = new progress.SingleBar({ format: `{bar} {value} of {total} ${things}{left}`, hideCursor: true })
  let start: { readonly ms: number; readonly value: number } | undefined
  try {
    return await work((value, total) => {
      const ms = performance.now()
      if (start === undefined) bar.start(total, value, { left: '' })
      start ??= { ms, value }
      bar.setTotal(Math.max(value, total))
      bar.update(value, { left: timeLeft(ms - start.ms, value - start.value, Math.max(0, total - value)) })
    })
  } finally {
    bar.stop()
  }
}

// A progress bar on stderr, if that is a terminal that can draw it.

/** Shows how much of the work is done. */
export type Advance = (value: number, total: number) => void

export const withProgress = async <A>(things: string, work: (advance: Advance) => Promise<A>): Promise<A> => {
  // Node decides by TERM and NO_COLOR, among others: `dumb` has a depth of 1 bit
  if (!process.stderr.isTTY || process.stderr.getColorDepth() === 1) return work(() => {})
  const { default: progress } = await import('cli-progress')
  const bar = new progress.SingleBar({ format: `{bar} {value} of {total} ${things}`, hideCursor: true })
  let isStarted = false
  try {
    return await work((value, total) => {
      if (!isStarted) bar.start(total, value)
      isStarted = true
      bar.setTotal(Math.max(value, total))
      bar.update(value)
    })
  } finally {
    bar.stop()
  }
}

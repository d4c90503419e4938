// Buffers lines for a few milliseconds and writes them to stdout together.
import { destination } from 'pino'

/** Takes whole lines, each with its line feed. @since 1.0.0 @category Service */
export interface LineStream {
  readonly write: (lines: string) => unknown
}

/** Number of characters that are written at once. */
const FULL_BUFFER = 32_768
/** Maximum time that a line waits for others. */
const FLUSH_MS = 10

/** A write per line would take at least 8 µs. Buffered lines are written before the process exits. */
export const bufferedStdout = (): LineStream => {
  const stdout = destination({ dest: 1, sync: false })
  let buffer = ''
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    process.off('exit', flush)
    const text = buffer
    buffer = ''
    stdout.write(text)
  }
  const write = (lines: string): void => {
    buffer += lines
    if (timer === undefined) {
      timer = setTimeout(flush, FLUSH_MS).unref()
      // must run before the stream's own exit listener, which flushes the stream
      process.prependListener('exit', flush)
    }
    if (buffer.length >= FULL_BUFFER) flush()
  }
  return { write }
}

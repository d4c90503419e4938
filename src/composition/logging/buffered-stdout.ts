// Buffers lines for a few milliseconds and writes them to stdout together.
import { destination } from 'pino'

/** Takes whole lines, each with its line feed. */
export interface LineStream {
  readonly write: (lines: string) => unknown
}

/** Number of characters that are written at once. */
const FULL_BUFFER = 32_768
/** Maximum time that a line waits for others. */
const FLUSH_MS = 10

/** One write per line would take 8 µs or more. Buffered lines are written when the process exits. */
export const bufferedStdout = (): LineStream => {
  const stdout = destination({ dest: 1, sync: false })
  let buffer = ''
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    const text = buffer
    buffer = ''
    if (text !== '') stdout.write(text)
  }
  // before the exit listener of the stream itself
  process.prependListener('exit', flush)
  const write = (lines: string): void => {
    buffer += lines
    if (buffer.length >= FULL_BUFFER) flush()
    else timer ??= setTimeout(flush, FLUSH_MS).unref()
  }
  return { write }
}

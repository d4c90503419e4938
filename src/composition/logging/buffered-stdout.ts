// The lines of a few milliseconds, written to stdout together.
import { destination } from 'pino'

/** Takes whole lines, each with its line feed. */
export interface LineStream {
  readonly write: (lines: string) => unknown
}

/** Characters that are written without waiting for more. */
const FULL_BUFFER = 32_768
/** Milliseconds for which a line may wait for others. */
const FLUSH_MS = 10

/** One write per line costs 8 µs and more. What is left when the process exits is written then. */
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
  // before the listener by which the stream itself writes what it still has
  process.prependListener('exit', flush)
  const write = (lines: string): void => {
    buffer += lines
    if (buffer.length >= FULL_BUFFER) flush()
    else timer ??= setTimeout(flush, FLUSH_MS).unref()
  }
  return { write }
}

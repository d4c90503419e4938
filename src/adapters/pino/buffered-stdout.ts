// Buffers lines for a few milliseconds and writes them to stdout together.
import { destination } from 'pino'
import type { LineStream } from './log.js'

/** Number of characters at which the buffer is written. */
const FULL_BUFFER = 32_768
/** Maximum time that a line waits for others. */
const FLUSH_MS = 10

/** At exit, a reader that has taken nothing for this long is abandoned. */
const STALLED_MS = 1_000
/** Bytes that wait for the reader; later lines are dropped. */
const MAX_WAITING = 4_194_304

/** One write per line would take 8 µs or more. Writes all lines before exit unless the disk is full or nobody reads. */
export const bufferedStdout = (): LineStream => {
  const stdout = destination({ dest: 1, sync: false, maxLength: MAX_WAITING })
  let buffer = ''
  let timer: NodeJS.Timeout | undefined
  let waitingSince: number | undefined
  let hasFailed = false

  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    const text = buffer
    buffer = ''
    waitingSince ??= performance.now()
    stdout.write(text)
  }
  const finish = (): void => {
    if (buffer !== '') flush()
    const isStalled = waitingSince !== undefined && performance.now() - waitingSince > STALLED_MS
    // otherwise the stream would retry forever
    if (hasFailed || isStalled) stdout.destroy()
  }
  stdout.on('error', () => {
    hasFailed = true
  })
  stdout.on('write', () => {
    hasFailed = false
    waitingSince = performance.now()
  })
  stdout.on('drain', () => {
    waitingSince = undefined
    if (buffer === '') process.off('exit', finish)
  })

  const write = (lines: string): void => {
    // prepended, because it must run before the stream's own exit listener, which flushes the stream
    if (buffer === '' && waitingSince === undefined) process.prependListener('exit', finish)
    buffer += lines
    timer ??= setTimeout(flush, FLUSH_MS).unref()
    if (buffer.length >= FULL_BUFFER) flush()
  }
  // for use before exit: an exit listener cannot await a write in progress, which later lines would overtake
  const flushAll = (callback: () => void): void => {
    if (buffer !== '') flush()
    if (waitingSince === undefined) {
      callback()
      return
    }
    const end = (): void => {
      clearTimeout(stalled)
      stdout.off('write', goOn).off('drain', end).off('error', end)
      callback()
    }
    const stalled = setTimeout(end, STALLED_MS + FLUSH_MS)
    const goOn = (): void => void stalled.refresh()
    stdout.on('write', goOn).on('drain', end).on('error', end)
  }
  return { write, flush: flushAll }
}

// The interface of the log and of its output. The types do not use pino, which embedders need not install.
import type { RequestReport } from '../../ports/observer.js'

type Write = (details: object, message: string) => void

export interface Log extends Readonly<Record<'fatal' | 'error' | 'warn' | 'info' | 'debug', Write>> {
  /** Writes one line per request. */
  readonly request: (report: RequestReport) => void
  readonly flush: (callback: () => void) => void
}

/** Takes whole lines, each with its line feed. */
export interface LineStream {
  readonly write: (lines: string) => unknown
  /** Calls back once all lines are written, or cannot be. Leave it out if `write` writes at once. */
  readonly flush?: (callback: () => void) => void
}

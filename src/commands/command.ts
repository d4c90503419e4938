// The type of a command: usage, options and work.
import type { ParseArgsConfig } from 'node:util'
import type { Config } from '../config/config.js'
import type { Clock } from '../ports/clock.js'

/** Exit codes. */
export const DONE = 0
export const FAILED = 1
export const WRONG_USAGE = 2
export const BAD_CONFIGURATION = 78

export interface Arguments {
  readonly positionals: readonly string[]
  /** The value of an option. */
  readonly text: (name: string) => string | undefined
  /** The values of an option that may be repeated. */
  readonly texts: (name: string) => readonly string[]
  readonly json: boolean
}

/** Where a command prints: results on stdout, messages for people and audit lines on stderr. */
export interface Output {
  readonly result: (text: string) => void
  readonly message: (text: string) => void
  /** Writes a JSON line about a change, for audits. */
  readonly audit: (line: string) => void
}

export interface Command {
  /** The part after `animal-store`: `keys rotate ID [--overlap DURATION]`. */
  readonly usage: string
  readonly summary: string
  readonly options: NonNullable<ParseArgsConfig['options']>
  /** Number of words after the name of the command. */
  readonly operands: number
  /** How many more may follow. */
  readonly optionalOperands?: number
  /** Resolves to the exit code; a `UsageError` is 2. */
  readonly run: (
    args: Arguments,
    config: Config,
    output: Output,
    clock: Clock,
    environment?: NodeJS.ProcessEnv,
  ) => Promise<number>
}

/** A bad value for an operand or an option; exit code 2. */
export class UsageError extends Error {}

// The shape of a command: its words, its options and its work.
import type { ParseArgsConfig } from 'node:util'
import type { Config } from '../config/config.js'

/** Exit codes. */
export const DONE = 0
export const FAILED = 1
export const WRONG_USAGE = 2
export const BAD_CONFIGURATION = 78

export interface Arguments {
  readonly positionals: readonly string[]
  /** The value of an option that is given once. */
  readonly text: (name: string) => string | undefined
  /** The values of an option that may be repeated. */
  readonly texts: (name: string) => readonly string[]
  readonly json: boolean
}

/** Where a command prints: results on stdout, messages for people and audit lines on stderr. */
export interface Output {
  readonly result: (text: string) => void
  readonly message: (text: string) => void
  /** A JSON line about a change that somebody may have to account for later. */
  readonly audit: (line: string) => void
}

export interface Command {
  /** What comes after `animal-store`: `keys rotate ID [--overlap DURATION]`. */
  readonly usage: string
  readonly summary: string
  readonly options: NonNullable<ParseArgsConfig['options']>
  /** How many words follow the name of the command. */
  readonly operands: number
  /** How many more may follow. */
  readonly optionalOperands?: number
  /** Resolves to the exit code; a `UsageError` is 2. */
  readonly run: (args: Arguments, config: Config, output: Output) => Promise<number>
}

/** A bad value for an operand or an option; exit code 2. */
export class UsageError extends Error {}

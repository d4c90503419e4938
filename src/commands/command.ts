// What a command of the command line is: its words, its options, and its work.
import type { ParseArgsConfig } from 'node:util'
import type { Config } from '../config/config.js'

/** Exit codes ("how it is run": The command line). */
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

/** How a command talks: results on stdout, messages for people on stderr. */
export interface Output {
  readonly result: (text: string) => void
  readonly message: (text: string) => void
}

export interface Command {
  /** What comes after `animal-store`: `keys rotate ID [--overlap DURATION]`. */
  readonly usage: string
  readonly summary: string
  readonly options: NonNullable<ParseArgsConfig['options']>
  /** How many words follow the name of the command. */
  readonly operands: number
  /** Resolves to the exit code; a `UsageError` is 2. */
  readonly run: (args: Arguments, config: Config, output: Output) => Promise<number>
}

/** The arguments are of the right number and names, but a value among them is not. */
export class UsageError extends Error {}

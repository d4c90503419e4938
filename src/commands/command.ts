// The type of a command, and helpers for operands, options, output and progress.
import { fstatSync, writeFileSync } from 'node:fs'
import type { ParseArgsConfig } from 'node:util'
import { type Config, shown } from '../config/config.js'
import { mayHoldSecret } from '../domain/api-keys/api-key-text.js'
import { DurationMs, type Instant, isDay } from '../domain/codecs/scalar.js'
import { asError } from '../domain/thrown.js'
import { visible, visibleJson } from '../domain/visible.js'
import type { Clock } from '../ports/clock.js'

export const DONE = 0
export const FAILED = 1
export const WRONG_USAGE = 2
/** EX_NOINPUT of sysexits.h: the files of the store are gone, so a restart would create an empty store. */
export const STORE_LOST = 66
export const BAD_CONFIGURATION = 78

export interface Arguments {
  readonly positionals: readonly string[]
  /** The values of an option; more than one only if it is declared `multiple`. */
  readonly values: (option: string) => readonly string[]
  /** Whether an option without a value was given. */
  readonly has: (option: string) => boolean
  readonly json: boolean
}

/** The streams of a process, or their place in a test. */
export interface RawOutput extends Pick<Output, 'message' | 'notice' | 'audit'> {
  readonly result: (text: string) => Promise<void>
}

/**
 * The output of a command: results on stdout, messages for people and audit lines on stderr. Whatever the results and
 * messages quote, they show it as text: see `visibleOutput`.
 */
export interface Output {
  /**
   * Lines for people, or a JSON document. Resolves once it is written; rejects if it cannot be, which ends the command
   * with exit code 1.
   */
  readonly result: (result: readonly string[] | { readonly json: string }) => Promise<void>
  /** One line. */
  readonly message: (line: string) => void
  /** A message that must be seen: resolves once it is written to stderr; rejects if it cannot be. */
  readonly notice: (text: string) => Promise<void>
  /** Writes a JSON line about a change, for audits. */
  readonly audit: (line: string) => void
}

export interface Command {
  /** The part after `animal-store`: `keys rotate ID [--overlap DURATION]`. Capitals: operands; brackets: optional. */
  readonly usage: string
  readonly summary: string
  readonly options?: ParseArgsConfig['options']
  /** Called if the command is not run because of its arguments or the configuration. Problems also go to stderr. */
  readonly refused?: (problems: readonly string[], environment: NodeJS.ProcessEnv) => Promise<void>
  /** Resolves to the exit code. May throw a `UsageError`, which means 2. */
  readonly run: (
    args: Arguments,
    config: Config,
    output: Output,
    clock: Clock,
    environment: NodeJS.ProcessEnv,
  ) => Promise<number>
}

/** A bad value for an operand or an option; exit code 2. */
export class UsageError extends Error {}

/** Rejects if the text, which must be seen, cannot be written. */
export const writeTo = async (name: 'stdout' | 'stderr', text: string): Promise<void> => {
  const stream = process[name]
  try {
    // unlike a stream, `writeFileSync` detects a short write to a file on a full disk
    if (fstatSync(stream.fd).isFile()) writeFileSync(stream.fd, text)
    else
      await new Promise<void>((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve())))
  } catch (error) {
    throw new Error(`the result cannot be written to ${name}: ${asError(error).message}`, { cause: error })
  }
}

/** The only way from a command to a terminal. Records, files and networks may contain control characters. */
export const visibleOutput = (output: RawOutput): Output => ({
  ...output,
  result: (result) => output.result('json' in result ? visibleJson(result.json) : result.map(visible).join('\n')),
  message: (line) => output.message(visible(line)),
})

export const failed = (output: Output, reason: string): number => {
  output.message(reason)
  return FAILED
}

/** A number with its noun: `1 pet`, `2 pets`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

type Cell = string | number | null | readonly string[]

/** Records as columns with a header, times to the minute. Empty without records. */
export const table = (records: readonly Readonly<Record<string, Cell>>[]): readonly string[] => {
  const textOf = (cell: Cell) => String(cell ?? '-').replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d):\d\d\.\d{3}Z$/, '$1Z')
  const rows = [...records.slice(0, 1).map(Object.keys), ...records.map((one) => Object.values(one).map(textOf))]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) =>
    row
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Throws a `UsageError` about an operand or option. */
export const refuse = (name: string, text: string, wanted: string): never => {
  throw new UsageError(`${name}: got ${shown(text)}, wanted ${wanted}`)
}

export const parseKeyId = (text: string): string =>
  mayHoldSecret(text) ? refuse('ID', text, 'the id of a key: the part between ast_live_ and the next _') : text

export const parseCount = (operand: string, text: string): number =>
  /^[1-9]\d{0,7}$/.test(text) ? Number(text) : refuse(operand, text, 'an integer from 1 to 99999999')

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds, from 30s, 5m, 12h or 30d; at most a hundred years. */
export const parseDuration = (option: string, text: string): DurationMs => {
  const [, count = '', unit = ''] = /^([1-9]\d*)([smhd])$/.exec(text) ?? []
  const durationMs = Number(count) * (UNIT_MS[unit] ?? Number.NaN)
  return DurationMs.is(durationMs)
    ? durationMs
    : refuse(option, text, 'a duration like 30s, 5m, 12h or 30d, at most a hundred years')
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** RFC 3339: 2026-11-21T09:30:00Z or 2026-11-21T10:30+01:00; or a day in UTC, 2026-11-21. */
export const parseInstant = (option: string, text: string): Instant => {
  const day = INSTANT.exec(text)?.[1]
  const instant = Date.parse(text)
  const isGood = day !== undefined && isDay(day) && !Number.isNaN(instant)
  return isGood ? instant : refuse(option, text, 'a time like 2026-11-21T09:30:00Z or 2026-11-21, or now')
}

/** Shows progress. */
export type Advance = (value: number, total?: number) => void

/** Draws `format`, in the language of cli-progress: `{bar}` needs a total. */
export const withProgress = async <A>(format: string, work: (advance: Advance) => Promise<A>): Promise<A> => {
  // a color depth of 1 bit means a `dumb` terminal, NO_COLOR or similar
  if (!process.stderr.isTTY || process.stderr.getColorDepth() === 1) return work(() => {})
  const { default: progress } = await import('cli-progress')
  // `linewrap`, and the cursor stays visible: Ctrl-C would leave a changed terminal behind
  const bar = new progress.SingleBar({ format, linewrap: true })
  try {
    return await work((value, total = value) => {
      if (!bar.isActive) bar.start(total, value)
      bar.setTotal(Math.max(value, total))
      bar.update(value)
    })
  } finally {
    bar.stop()
  }
}

// Durations of the command line: 30s, 5m, 12h, 30d.
import { UsageError } from './command.js'

/** A hundred years: added to any date of today it is a date still. */
const LONGEST = 3_155_760_000_000

const MILLISECONDS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds, a hundred years at most. */
export const parseDuration = (option: string, text: string): number => {
  const [, count = '', unit = ''] = /^([1-9]\d*)([smhd])$/.exec(text) ?? []
  const duration = Number(count) * (MILLISECONDS[unit] ?? Number.NaN)
  if (duration <= LONGEST) return duration
  throw new UsageError(
    `${option}: got ${JSON.stringify(text)}, wanted a duration like 30s, 5m, 12h or 30d, of a hundred years at most`,
  )
}

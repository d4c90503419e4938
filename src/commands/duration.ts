// Durations of the command line: 30s, 5m, 12h, 30d.
import { UsageError } from './command.js'

const MILLISECONDS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds. */
export const parseDuration = (option: string, text: string): number => {
  const [, count = '', unit = ''] = /^([1-9]\d{0,8})([smhd])$/.exec(text) ?? []
  const grain = MILLISECONDS[unit]
  if (grain === undefined)
    throw new UsageError(`${option}: got ${JSON.stringify(text)}, wanted a duration like 30s, 5m, 12h or 30d`)
  return Number(count) * grain
}

// Parses operands and options: key ids, counts, durations, instants. Throws a `UsageError` for anything else.
import { shown } from '../config/config.js'
import { mayHoldSecret } from '../domain/api-keys/api-key-text.js'
import { DurationMs, type Instant, isDay } from '../domain/codecs/instant.js'
import { UsageError } from './command.js'

export const parseKeyId = (text: string): string => {
  if (!mayHoldSecret(text)) return text
  throw new UsageError(
    'ID: got an API key or its secret, wanted the id of the key: the part between ast_live_ and the next _',
  )
}

/** 1 to 99,999,999. */
export const parseCount = (operand: string, text: string): number => {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text)
  throw new UsageError(`${operand}: got ${shown(text)}, wanted an integer from 1 to 99999999`)
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds, from 30s, 5m, 12h or 30d; at most a hundred years. */
export const parseDuration = (option: string, text: string): DurationMs => {
  const [, count = '', unit = ''] = /^([1-9]\d*)([smhd])$/.exec(text) ?? []
  const durationMs = Number(count) * (UNIT_MS[unit] ?? Number.NaN)
  if (DurationMs.is(durationMs)) return durationMs
  throw new UsageError(
    `${option}: got ${shown(text)}, wanted a duration like 30s, 5m, 12h or 30d, at most a hundred years`,
  )
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** RFC 3339: 2026-11-21T09:30:00Z or 2026-11-21T10:30+01:00; or a day in UTC, 2026-11-21. */
export const parseInstant = (option: string, text: string): Instant => {
  const day = INSTANT.exec(text)?.[1]
  const instant = Date.parse(text)
  if (day === undefined || !isDay(day) || Number.isNaN(instant)) {
    throw new UsageError(`${option}: got ${shown(text)}, wanted a time like 2026-11-21T09:30:00Z or 2026-11-21`)
  }
  return instant
}

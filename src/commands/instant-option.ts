// Instants of the command line, as RFC 3339 writes them: 2026-11-21T09:30:00Z, 2026-11-21T10:30+01:00, or a day in UTC.
import type { Instant } from '../domain/instant.js'
import { UsageError } from './command.js'

const FORM = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

const isDay = (day: string): boolean => {
  const midnight = Date.parse(day)
  // 30 February would pass as 2 March
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day)
}

export const parseInstant = (option: string, text: string): Instant => {
  const day = FORM.exec(text)?.[1]
  const instant = Date.parse(text)
  if (day === undefined || !isDay(day) || Number.isNaN(instant)) {
    throw new UsageError(
      `${option}: got ${JSON.stringify(text)}, wanted a time like 2026-11-21T09:30:00Z or 2026-11-21`,
    )
  }
  return instant
}

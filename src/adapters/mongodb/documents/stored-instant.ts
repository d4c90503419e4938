// An instant as MongoDB keeps it: a date, which people can read and ranges can be asked for.
import * as t from 'io-ts'
import type { Instant } from '../../../domain/instant.js'

export const StoredInstant = new t.Type<Instant, Date, unknown>(
  'StoredInstant',
  t.number.is,
  (u, context) =>
    u instanceof Date && !Number.isNaN(u.getTime()) ? t.success(u.getTime()) : t.failure(u, context, 'must be a date'),
  (instant) => new Date(instant),
)

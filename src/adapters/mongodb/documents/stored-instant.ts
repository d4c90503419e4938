// An instant in MongoDB: a date, which people can read and range queries can use.
import * as t from 'io-ts'
import { Instant } from '../../../domain/codecs/instant.js'

export const StoredInstant = new t.Type<Instant, Date, unknown>(
  'StoredInstant',
  Instant.is,
  (u, context) =>
    u instanceof Date && !Number.isNaN(u.getTime()) ? t.success(u.getTime()) : t.failure(u, context, 'must be a date'),
  (instant) => new Date(instant),
)

// Numbers of things.
import * as t from 'io-ts'

const isCount = (u: unknown): u is number => typeof u === 'number' && Number.isSafeInteger(u) && u >= 0

/** An exact integer from 0. */
export const Count = new t.Type<number, number, unknown>(
  'Count',
  isCount,
  (u, context) => (isCount(u) ? t.success(u) : t.failure(u, context, 'must be an integer from 0')),
  t.identity,
)

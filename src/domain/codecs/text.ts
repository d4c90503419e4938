// Texts without a rule of their own.
import * as t from 'io-ts'

/** Any string. */
export const Text = new t.Type<string, string, unknown>(
  'Text',
  t.string.is,
  (u, context) => (typeof u === 'string' ? t.success(u) : t.failure(u, context, 'must be a string')),
  t.identity,
)

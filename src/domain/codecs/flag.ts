// Yes or no.
import * as t from 'io-ts'

/** A boolean. */
export const Flag = new t.Type<boolean, boolean, unknown>(
  'Flag',
  t.boolean.is,
  (u, context) => (typeof u === 'boolean' ? t.success(u) : t.failure(u, context, 'must be true or false')),
  t.identity,
)

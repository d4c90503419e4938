// Codecs of string enumerations.
import * as t from 'io-ts'

/** One of the values; case matters. */
export const oneOf = <A extends string>(name: string, values: readonly A[]): t.Type<A, A, unknown> => {
  const is = (u: unknown): u is A => values.some((value) => value === u)
  return new t.Type(
    name,
    is,
    (u, context) => (is(u) ? t.success(u) : t.failure(u, context, `must be one of ${values.join(', ')}`)),
    t.identity,
  )
}

// Codecs of values that are accepted or refused as they are.
import * as t from 'io-ts'

declare const unit: unique symbol

/** A value with a unit. The brand costs nothing: a plain number or bigint fits, but one with another unit does not compile. */
export type Of<A, Unit extends string> = A & { readonly [unit]?: Unit }

/** The values that pass the guard, unchanged; `rule` is the message for all others. */
export const guarded = <A extends B, B = A>(
  name: string,
  is: (u: unknown) => u is A,
  rule: string,
): t.Type<A, B, unknown> =>
  new t.Type<A, B, unknown>(name, is, (u, context) => (is(u) ? t.success(u) : t.failure(u, context, rule)), t.identity)

export const oneOf = <A extends string>(name: string, values: readonly A[]): t.Type<A, A, unknown> =>
  guarded(name, (u): u is A => values.some((value) => value === u), `must be one of ${values.join(', ')}`)

export const Text = guarded('Text', t.string.is, 'must be a string')

const isPrintable = (u: unknown): u is string => typeof u === 'string' && /^[\x20-\x7e]{1,255}$/.test(u)

/** An identifier that callers choose or quote: short enough for the keys of any store. */
export const PrintableText = guarded('PrintableText', isPrintable, 'must have 1 to 255 printable ASCII characters')

export const Flag = guarded('Flag', t.boolean.is, 'must be true or false')

const isCount = (u: unknown): u is number => typeof u === 'number' && Number.isSafeInteger(u) && u >= 0

export const Count = guarded('Count', isCount, 'must be an integer from 0')

const isPositive = (u: unknown): u is number => isCount(u) && u > 0

export const Positive = guarded('Positive', isPositive, 'must be an integer from 1')

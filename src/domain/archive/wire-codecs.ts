// Codecs of the plain values that only the lines of an export have. Each fault describes the valid values.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { Instant, instantText } from '../codecs/instant.js'
import { Int64 } from '../codecs/int64.js'
import { MAX_PET_ID } from '../pets/pet.js'

/** The values of a codec that obey a rule. */
const ruled = <A, B>(
  name: string,
  codec: t.Type<A, B>,
  rule: string,
  isGood: (value: A) => boolean,
): t.Type<A, B, unknown> =>
  new t.Type(
    name,
    (u): u is A => codec.is(u) && isGood(u),
    (u, context) => {
      const value = codec.validate(u, context)
      return E.isRight(value) && isGood(value.right) ? value : t.failure(u, context, rule)
    },
    codec.encode,
  )

/** The last id that was drawn; 0 if none was. */
export const LastId = ruled(
  'LastId',
  Int64,
  `must be an integer from 0 to ${MAX_PET_ID}`,
  (id) => id >= 0n && id <= MAX_PET_ID,
)

export const Sha256Text = ruled('Sha256Text', t.string, 'must be a SHA-256 in hexadecimal', (text) =>
  /^[0-9a-f]{64}$/.test(text),
)

const instantIn = (text: string): O.Option<Instant> => {
  const instant = Date.parse(text)
  return !Number.isNaN(instant) && instantText(instant) === text ? O.some(instant) : O.none
}

/** An instant in the form of `instantText`. */
export const InstantText = new t.Type<Instant, string, unknown>(
  'InstantText',
  Instant.is,
  (u, context) => {
    const instant = typeof u === 'string' ? instantIn(u) : O.none
    return O.isSome(instant)
      ? t.success(instant.value)
      : t.failure(u, context, 'must be a UTC time like 2026-11-22T09:30:00.000Z')
  },
  instantText,
)

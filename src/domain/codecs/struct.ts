// Codecs of records. They report every fault with its place, and drop unknown members.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'

/** A fault at one place of an input; `pointer` is a JSON pointer (RFC 6901), empty for the whole. */
export interface Fault {
  readonly pointer: string
  readonly reason: string
}

type Members = Readonly<Record<string, t.Mixed>>
type Record_<R extends Members, P extends Members, F extends '_A' | '_O'> = {
  readonly [K in keyof R]: R[K][F]
} & { readonly [K in keyof P]?: P[K][F] }
type Flat<T> = { readonly [K in keyof T]: T[K] }

const faultsAt = (codec: t.Mixed, value: unknown, place: t.Context): t.Errors =>
  pipe(
    codec.validate(value, place),
    E.match(
      (errors) => errors,
      () => [],
    ),
  )

/** A codec of a record. An optional member may be absent, and then stays absent; it is never null. */
export const struct = <R extends Members, P extends Members>(
  name: string,
  required: R,
  optional: P,
): t.Type<Flat<Record_<R, P, '_A'>>, Flat<Record_<R, P, '_O'>>, unknown> => {
  type A = Flat<Record_<R, P, '_A'>>
  type Output = Flat<Record_<R, P, '_O'>>
  const members = Object.entries({ ...required, ...optional })
  const isRequired = (key: string): boolean => Object.hasOwn(required, key)

  const is = (u: unknown): u is A =>
    t.UnknownRecord.is(u) &&
    members.every(([key, codec]) => (Object.hasOwn(u, key) ? codec.is(u[key]) : !isRequired(key)))

  const validate: t.Validate<unknown, A> = (u, context) => {
    if (!t.UnknownRecord.is(u)) return t.failure(u, context, 'must be an object')
    const errors: t.Errors = []
    const decoded: Record<string, unknown> = {}
    for (const [key, codec] of members) {
      if (Object.hasOwn(u, key)) {
        // the context is built only for a fault: it costs more than all other work here
        const member: t.Validation<unknown> = codec.validate(u[key], context)
        if (E.isRight(member)) decoded[key] = member.right
        else errors.push(...faultsAt(codec, u[key], t.appendContext(context, key, codec, u[key])))
      } else if (isRequired(key)) {
        errors.push({ value: undefined, context: t.appendContext(context, key, codec), message: 'is required' })
      }
    }
    return errors.length > 0 ? t.failures(errors) : t.success(decoded as A)
  }

  const encode = (a: A): Output => {
    const values: Readonly<Record<string, unknown>> = a
    const encoded: Record<string, unknown> = {}
    for (const [key, codec] of members) if (Object.hasOwn(values, key)) encoded[key] = codec.encode(values[key])
    return encoded as Output
  }

  return new t.Type(name, is, validate, encode)
}

const escapeToken = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1')

/**
 * The faults of a failed decode, in the order of the codec's members.
 *
 * @example
 * const faults = E.mapLeft(faultsOf)(NewPet.decode({ name: 'Rex' }))
 * faults // => E.left([{ pointer: '/categoryId', reason: 'is required' }])
 */
export const faultsOf = (errors: t.Errors): readonly Fault[] =>
  errors.map(({ context, message }) => ({
    pointer: context
      .slice(1)
      .map(({ key }) => `/${escapeToken(key)}`)
      .join(''),
    reason: message ?? 'is invalid',
  }))

/** The faults of a failed decode in one line. */
export const faultsText = (errors: t.Errors): string =>
  faultsOf(errors)
    .map(({ pointer, reason }) => (pointer === '' ? reason : `${pointer}: ${reason}`))
    .join('; ')

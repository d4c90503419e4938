// Codecs of records. They report every fault with its location, and drop unknown members.
import * as E from 'fp-ts/lib/Either.js'
import { identity } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'

/** A fault of an input; `pointer` is a JSON pointer (RFC 6901), empty for the whole input. */
export interface Fault {
  readonly pointer: string
  readonly reason: string
}

type Members = Readonly<Record<string, t.Mixed>>
type NoMembers = { readonly [K in never]: t.Mixed }
type Values = Readonly<Record<string, unknown>>
type Record_<R extends Members, P extends Members, F extends '_A' | '_O'> = {
  readonly [K in keyof R]: R[K][F]
} & { readonly [K in keyof P]?: P[K][F] }
type Options<M extends Members> = { readonly [K in keyof M]: O.Option<M[K]['_A']> }
type Flat<T> = { readonly [K in keyof T]: T[K] }

const faultsAt = (codec: t.Mixed, value: unknown, place: t.Context): t.Errors =>
  E.match(identity<t.Errors>, (): t.Errors => [])(codec.validate(value, place))

const isOption = (u: unknown): u is O.Option<unknown> =>
  typeof u === 'object' && u !== null && '_tag' in u && (u._tag === 'None' || u._tag === 'Some')

export const optionOf = <A>(codec: t.Type<A, unknown, unknown>): t.Type<O.Option<A>, unknown, unknown> =>
  new t.Type<O.Option<A>, unknown, unknown>(
    'Option',
    (u): u is O.Option<A> => isOption(u) && (O.isNone(u) || codec.is(u.value)),
    (u, context) =>
      isOption(u)
        ? O.traverse(E.Applicative)((value: unknown) => codec.validate(value, context))(u)
        : t.failure(u, context, 'must be an Option'),
    identity,
  )

/** Absent members of `optional` stay absent; those of `options` are decoded to Options. Null is a fault. */
export const struct = <R extends Members, P extends Members = NoMembers, M extends Members = NoMembers>(
  name: string,
  required: R,
  optional?: P,
  options?: M,
): t.Type<Flat<Record_<R, P, '_A'> & Options<M>>, Flat<Record_<R, P & M, '_O'>>, unknown> => {
  const members = Object.entries({ ...required, ...optional, ...options }).map(([key, codec]) => ({
    key,
    codec,
    isRequired: Object.hasOwn(required, key),
    option: Object.hasOwn(options ?? {}, key) ? optionOf(codec) : undefined,
  }))

  const is = (u: unknown): u is Values =>
    t.UnknownRecord.is(u) &&
    members.every(({ key, codec, isRequired, option }) => {
      const value = u[key]
      if (option !== undefined) return option.is(value)
      return Object.hasOwn(u, key) ? codec.is(value) : !isRequired
    })

  const validate: t.Validate<unknown, Values> = (u, context) => {
    if (!t.UnknownRecord.is(u)) return t.failure(u, context, 'must be an object')
    const errors: t.Errors = []
    const decoded: Record<string, unknown> = {}
    for (const { key, codec, isRequired, option } of members) {
      if (Object.hasOwn(u, key)) {
        const value = u[key]
        // builds the context only for a fault, because it costs more than all other work here
        const member: t.Validation<unknown> = codec.validate(value, context)
        if (E.isRight(member)) decoded[key] = option === undefined ? member.right : O.some(member.right)
        else errors.push(...faultsAt(codec, value, t.appendContext(context, key, codec, value)))
      } else if (isRequired) {
        errors.push({ value: undefined, context: t.appendContext(context, key, codec), message: 'is required' })
      } else if (option !== undefined) decoded[key] = O.none
    }
    return errors.length > 0 ? t.failures(errors) : t.success(decoded)
  }

  const encode = (values: Values): Values => {
    const encoded: Record<string, unknown> = {}
    for (const { key, codec, option } of members) {
      const value = option === undefined ? values[key] : O.toUndefined(values[key] as O.Option<unknown>)
      if (value !== undefined) encoded[key] = codec.encode(value)
    }
    return encoded
  }

  const codec: t.Mixed = new t.Type(name, is, validate, encode)
  return codec
}

const escapeToken = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1')

/** Whether an entry is a part of a union or an intersection, which io-ts numbers: it has the value of the entry above. */
const isPart = ({ key, actual }: t.ContextEntry, above: t.ContextEntry | undefined): boolean =>
  /^\d+$/.test(key) && Object.is(actual, above?.actual)

/**
 * The faults of a failed decode, in the order of the codec's members. Also of intersections, unions and refinements.
 *
 * @example
 * const faults = E.mapLeft(faultsOf)(NewPet.decode({ name: 'Rex' }))
 * faults // => E.left([{ pointer: '/categoryId', reason: 'is required' }])
 */
export const faultsOf = (errors: t.Errors): readonly Fault[] =>
  errors.map(({ context, message }) => ({
    pointer: context
      .filter((entry, at) => at > 0 && !isPart(entry, context[at - 1]))
      .map(({ key }) => `/${escapeToken(key)}`)
      .join(''),
    reason: message ?? 'is invalid',
  }))

/** Faults of input that the compiler cannot check. Runs for every list, so valid input must cost almost nothing. */
export const inputFaults = <I>(codecs: { readonly [K in keyof I]: t.Type<I[K], unknown, unknown> }) => {
  const members = Object.entries<t.Mixed>(codecs) as [keyof I & string, t.Mixed][]
  return (input: I): readonly Fault[] =>
    members
      .filter(([key, codec]) => !codec.is(input[key]))
      .flatMap(([key, type]) =>
        faultsOf(
          faultsAt(type, input[key], [
            { key: '', type },
            { key, type },
          ]),
        ),
      )
}

export const faultsText = (errors: t.Errors): string =>
  faultsOf(errors)
    .map(({ pointer, reason }) => (pointer === '' ? reason : `${pointer}: ${reason}`))
    .join('; ')

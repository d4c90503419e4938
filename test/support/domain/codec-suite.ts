// Suite for codecs: decoding inverts encoding, and each fault of invalid input has a place and a reason.
import { inspect } from 'node:util'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { expect, it } from 'vitest'
import { type Fault, faultsOf } from '../../../src/domain/codecs/struct.js'

export const faultsIn = (codec: t.Decoder<unknown, unknown>, input: unknown): readonly Fault[] =>
  E.match(faultsOf, () => [])(codec.decode(input))

export const whole = (reason: string): readonly Fault[] => [{ pointer: '', reason }]

export const faults = (...all: readonly (readonly [pointer: string, reason: string])[]): readonly Fault[] =>
  all.map(([pointer, reason]) => ({ pointer, reason }))

/** Invalid inputs that are refused as a whole for the same reason. */
export const sharing = (reason: string, inputs: readonly unknown[]) =>
  inputs.map((input) => [input, whole(reason)] as const)

export interface CodecCases<A, O> {
  readonly name: string
  readonly codec: t.Type<A, O, unknown>
  readonly values: () => fc.Arbitrary<A>
  readonly refused: readonly (readonly [unknown, readonly Fault[]])[]
}

export const codecSuite = <A, O>({ name, codec, values, refused }: CodecCases<A, O>): void => {
  it('has the name of its type', () => {
    expect(codec.name).toBe(name)
  })

  it('decodes what it has encoded to the same value', () => {
    fc.assert(
      fc.property(values(), (value) => {
        expect(codec.is(value)).toBe(true)
        expect(codec.decode(codec.encode(value))).toStrictEqual(E.right(value))
      }),
    )
  })

  for (const [input, faults] of refused) {
    it(`refuses ${inspect(input, { maxStringLength: 40, breakLength: Number.POSITIVE_INFINITY })}`, () => {
      expect(codec.is(input)).toBe(false)
      expect(faultsIn(codec, input)).toStrictEqual(faults)
    })
  }
}

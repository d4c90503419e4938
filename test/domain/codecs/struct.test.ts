import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { describe, expect, it } from 'vitest'
import { Int64 } from '../../../src/domain/codecs/scalar.js'
import { struct } from '../../../src/domain/codecs/struct.js'
import { PetStatus } from '../../../src/domain/pets/pet.js'
import { faultsIn } from '../../support/domain/codec-suite.js'

const Inner = struct('Inner', { 'a/b~c~/': Int64 }, {})
const Outer = struct('Outer', { number: Int64, inner: Inner }, { status: PetStatus, text: t.string })

const inner = { 'a/b~c~/': 1n }
const outer = { number: 2n, inner }
const notInt64 = 'must be an integer from -9223372036854775808 to 9223372036854775807'

describe('struct', () => {
  it('drops unknown members at every level', () => {
    const sent = { ...outer, id: 3, inner: { ...inner, more: true }, toString: 'x' }
    expect(Outer.decode(sent)).toStrictEqual(E.right(outer))
  })

  it('reports every fault, in the order of its members', () => {
    expect(faultsIn(Outer, { text: 1, status: null, inner: {}, number: 'x' })).toStrictEqual([
      { pointer: '/number', reason: `${notInt64}, not a string` },
      { pointer: '/inner/a~1b~0c~0~1', reason: 'is required' },
      { pointer: '/status', reason: 'must be one of available, pending, sold' },
      { pointer: '/text', reason: 'is invalid' },
    ])
  })

  it('refuses an optional member that is undefined or null rather than absent', () => {
    for (const status of [undefined, null]) {
      expect(Outer.is({ ...outer, status })).toBe(false)
      expect(faultsIn(Outer, { ...outer, status })).toStrictEqual([
        { pointer: '/status', reason: 'must be one of available, pending, sold' },
      ])
    }
  })

  it('encodes each member with its codec, and leaves out absent and unknown members', () => {
    const Dated = struct('Dated', { at: DigitsFromInt64 }, { until: DigitsFromInt64 })
    expect(Dated.encode({ at: 1n, until: 2n })).toStrictEqual({ at: '1', until: '2' })
    const wider = { at: 1n, more: 3n }
    expect(Dated.encode(wider)).toStrictEqual({ at: '1' })
  })
})

const DigitsFromInt64 = new t.Type<bigint, string, unknown>('DigitsFromInt64', Int64.is, Int64.validate, String)

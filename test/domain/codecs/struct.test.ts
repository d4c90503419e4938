import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { describe, expect, it } from 'vitest'
import { fromJson } from '../../../src/domain/codecs/from-json.js'
import { Int64 } from '../../../src/domain/codecs/scalar.js'
import { struct } from '../../../src/domain/codecs/struct.js'
import { NewPet, PetStatus } from '../../../src/domain/pets/pet.js'
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

describe('faultsOf', () => {
  const Coloured = t.intersection([NewPet, t.type({ colour: t.string, '0': t.string })])
  const Small = t.refinement(Coloured, () => false)
  const Either = t.union([t.type({ name: t.string }), Coloured])
  const Tagged = t.union([t.type({ kind: t.literal('a'), colour: t.string }), t.type({ kind: t.literal('b') })])
  const pet = { name: 'Rex', categoryId: 7, colour: 'red', '0': 'zero' }
  const { name: _, ...nameless } = pet

  it.each<[string, t.Decoder<unknown, unknown>, unknown, readonly string[]]>([
    ['an intersection', Coloured, { categoryId: 1 }, ['/name', '/0', '/colour']],
    ['a refinement of one', Small, { ...pet, colour: 1 }, ['/colour']],
    ['a refinement as a whole', Small, pet, ['']],
    ['a union', Either, nameless, ['/name', '/name']],
    ['a tagged union', Tagged, { kind: 'a' }, ['/colour']],
    ['a type that is only read', t.readonly(Coloured), { ...pet, name: '' }, ['/name']],
    ['members', t.type({ pets: t.array(Coloured) }), { pets: [pet, nameless] }, ['/pets/1/name']],
    ['a pair', t.tuple([Coloured, t.null]), [{ ...pet, name: 1 }, null], ['/0/name']],
    ['a member of a struct', struct('Owner', { pet: Coloured }), { pet: nameless }, ['/pet/name']],
    ['a JSON text', fromJson('ColouredFromJson', Coloured), '{"name":"Rex","categoryId":7,"0":""}', ['/colour']],
    ['an intersection as a whole', t.intersection([NewPet, NewPet]), null, ['', '']],
  ])('points to the members of %s', (_, codec, input, pointers) => {
    expect(faultsIn(codec, input).map(({ pointer }) => pointer)).toStrictEqual(pointers)
  })
})

const DigitsFromInt64 = new t.Type<bigint, string, unknown>('DigitsFromInt64', Int64.is, Int64.validate, String)

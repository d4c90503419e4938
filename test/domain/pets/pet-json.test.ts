import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { parse as parseLossless, stringify } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { MAX_INT64, MIN_INT64 } from '../../../src/domain/codecs/int64.js'
import { parseExactJson } from '../../../src/domain/json/parse-json.js'
import { decodeNewPet, NEW_PET_MEMBERS, Pet } from '../../../src/domain/pets/pet.js'
import { parseNewPetJson, petJson, petsJson } from '../../../src/domain/pets/pet-json.js'
import { int64, newPet, pet } from '../../../src/testing/arbitraries.js'

const read = (text: string): unknown => parseLossless(text, undefined, BigInt)
const anyPet = () =>
  fc.oneof(
    pet(),
    fc.tuple(int64(), newPet()).map(([id, sent]): Pet => ({ id, ...sent })),
  )

describe('petJson', () => {
  it('writes the same text as a generic lossless writer', () => {
    fc.assert(
      fc.property(anyPet(), (value) => {
        expect(petJson(value)).toBe(stringify(value))
      }),
    )
  })

  it('writes a text that the codec reads back as the same pet', () => {
    fc.assert(
      fc.property(anyPet(), (value) => {
        expect(Pet.decode(read(petJson(value)))).toStrictEqual(E.right(value))
      }),
    )
  })

  it.each<readonly [Pet, string]>([
    [
      { id: 1n, name: 'Rex "the\\dog"\n\0', categoryId: MIN_INT64, status: 'sold' },
      '{"id":1,"name":"Rex \\"the\\\\dog\\"\\n\\u0000","categoryId":-9223372036854775808,"status":"sold"}',
    ],
    [{ id: MAX_INT64, name: 'x', categoryId: 0n }, '{"id":9223372036854775807,"name":"x","categoryId":0}'],
  ])('writes the members in a fixed order, without white space', (value, text) => {
    expect(petJson(value)).toBe(text)
  })

  it('writes only the members of Pet', () => {
    const wider = { id: 1n, name: 'x', categoryId: 2n, secret: 3n }
    expect(petJson(wider)).toBe('{"id":1,"name":"x","categoryId":2}')
  })
})

describe('petsJson', () => {
  it('writes the same text as a generic lossless writer', () => {
    fc.assert(
      fc.property(fc.array(anyPet(), { maxLength: 5 }), (pets) => {
        expect(petsJson(pets)).toBe(stringify(pets))
      }),
    )
  })

  it('writes an empty list as an empty array', () => {
    expect(petsJson([])).toBe('[]')
  })
})

const parse = (text: string) => parseNewPetJson(new TextEncoder().encode(text))

describe('parseNewPetJson', () => {
  it('gives every NewPet and every fault that the whole value has, however long it is', () => {
    const name = fc.constantFrom(...NEW_PET_MEMBERS, 'n\\u0061me', '__proto__', 'tags')
    const value = fc.oneof(
      fc.constantFrom(
        '"Rex"',
        '"sold"',
        '7',
        '9223372036854775807',
        '9223372036854775808',
        '7.0',
        '7.5',
        '1e2',
        'null',
      ),
      fc.json(),
    )
    const object = fc
      .array(fc.tuple(name, value), { maxLength: 5 })
      .map((members) => `{${members.map(([key, text]) => `"${key}" : ${text}`).join(' , ')}}`)
    fc.assert(
      fc.property(fc.oneof(object, value), fc.constantFrom(0, 2_000), (text, length) => {
        const padded = text.padEnd(length, ' ')
        expect(E.map(decodeNewPet)(parse(padded))).toStrictEqual(E.map(decodeNewPet)(parseExactJson(padded)))
      }),
      { numRuns: 2_000 },
    )
  })
})

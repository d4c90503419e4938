import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/domain/json/parse-json.js'
import { parseNewPetJson } from '../../../src/domain/pets/new-pet-json.js'
import { decodeNewPet } from '../../../src/domain/pets/pet.js'

const parse = (text: string) => parseNewPetJson(new TextEncoder().encode(text))

describe('parseNewPetJson', () => {
  it('gives every NewPet and every fault that the whole value has, however long it is', () => {
    const name = fc.constantFrom('name', 'categoryId', 'status', 'n\\u0061me', '__proto__', 'tags')
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
        expect(E.map(decodeNewPet)(parse(padded))).toStrictEqual(E.map(decodeNewPet)(parseJson(padded)))
      }),
      { numRuns: 2_000 },
    )
  })
})

import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { stringify } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { MAX_INT64, MIN_INT64 } from '../../../src/domain/codecs/scalar.js'
import { parseExactJson } from '../../../src/domain/json/parse-json.js'
import { type Pet, parseNewPetJson, petJson } from '../../../src/domain/pets/pet.js'
import { int64, newPet, pet } from '../../../src/testing/arbitraries.js'

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

describe('parseNewPetJson', () => {
  const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

  it('reads bytes like a text, all of it', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          newPet().map((value) => stringify(value) ?? ''),
          fc.string(),
        ),
        (text) => {
          expect(parseNewPetJson(bytesOf(text))).toStrictEqual(parseExactJson(text))
        },
      ),
    )
  })

  it.each([
    ['UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'it is not valid UTF-8'],
    ['a byte order mark', bytesOf('\uFEFF1'), 'it starts with a byte order mark'],
  ])('judges %s', (_, bytes, reason) => {
    expect(parseNewPetJson(bytes)).toStrictEqual(E.left({ _tag: 'MalformedJson', reason }))
  })
})

import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { stringify } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/domain/json/parse-json.js'
import {
  isMadeFrom,
  MAX_PET_ID,
  NEW_PET_MEMBERS,
  NewPet,
  NewPetFromJson,
  Pet,
  PetFromJson,
  PetId,
  PetName,
  PetStatus,
  parseNewPetJson,
  petFrom,
  petJson,
} from '../../../src/domain/pets/pet.js'
import { int64, newPet, pet, petId, petName, petStatus } from '../../../src/testing/arbitraries.js'
import { codecSuite, faults, sharing, whole } from '../../support/domain/codec-suite.js'

const DOG = '\u{1f436}'
const notStatus = 'must be one of available, pending, sold'
const notInt64 = 'must be an integer from -9223372036854775808 to 9223372036854775807'
const tooLong = 'must have 1 to 256 characters'
const onlySpace = 'must not be only white space'
const notUnicode = 'must be well-formed Unicode, without a lone surrogate'

describe('PetId', () => {
  codecSuite({
    name: 'PetId',
    codec: PetId,
    values: petId,
    refused: sharing('must be an integer from 1 to 9007199254740991', [
      ...[0n, -1n, 2n ** 53n, 0, 1.5, 2 ** 53, Number.NaN, null, undefined],
    ]),
  })

  it('takes a number that is exact for the bigint it is', () => {
    expect(PetId.decode(9_007_199_254_740_991)).toStrictEqual(E.right(MAX_PET_ID))
  })
})

describe('PetStatus', () => {
  codecSuite({
    name: 'PetStatus',
    codec: PetStatus,
    values: petStatus,
    refused: sharing(notStatus, ['Sold', 'SOLD', ' sold', 'sold ', '', 'gone', 0, true, null, undefined, ['sold'], {}]),
  })
})

describe('PetName', () => {
  codecSuite({
    name: 'PetName',
    codec: PetName,
    values: petName,
    refused: [
      ...sharing(tooLong, ['', 'x'.repeat(257), 'x'.repeat(513), 'x'.repeat(1_000_000), ' '.repeat(257)]),
      ...sharing(tooLong, [DOG.repeat(257), `${DOG.repeat(255)}xy`]),
      ...sharing(onlySpace, [' ', '\t\r\n\v\f\u00a0\u2003\u2028\u2029\u3000\ufeff']),
      ...sharing(notUnicode, ['\ud83d', '\udc36', '\udc36\ud83d', 'Rex\ud83d', ' \ud83d ']),
      ...sharing('must be a string', [1, 1n, true, null, undefined, ['Rex'], {}]),
    ],
  })

  it.each([
    ['the longest name', 'x'.repeat(256)],
    ['the longest name of astral characters', DOG.repeat(256)],
    ['a single character', 'x'],
    ['a NUL alone', '\0'],
    ['white space around a name', ' \n Rex \t'],
    ['a name that is not normalised', 'e\u0301'],
    ['zero width and direction marks', '\u200b\u200d\u202e'],
  ])('keeps %s as sent', (_, name) => {
    expect(PetName.decode(name)).toStrictEqual(E.right(name))
  })

  it('counts code points, not code units or graphemes', () => {
    const units = fc.record({ astral: fc.nat(300), plain: fc.nat(300) })
    fc.assert(
      fc.property(units, ({ astral, plain }) => {
        const length = astral + plain
        expect(PetName.is(DOG.repeat(astral) + '\u0301'.repeat(plain))).toBe(length >= 1 && length <= 256)
      }),
    )
  })
})

describe('NewPet', () => {
  codecSuite({
    name: 'NewPet',
    codec: NewPet,
    values: newPet,
    refused: [
      ...sharing('must be an object', [null, [], 'Rex']),
      [{}, faults(['/name', 'is required'], ['/categoryId', 'is required'])],
      [
        { status: 'Sold', categoryId: '1', name: ' ' },
        faults(['/name', onlySpace], ['/categoryId', `${notInt64}, not a string`], ['/status', notStatus]),
      ],
      [{ name: 'Rex', categoryId: 2n ** 63n }, [{ pointer: '/categoryId', reason: notInt64 }]],
      [{ name: 'Rex', categoryId: 1n, status: null }, [{ pointer: '/status', reason: notStatus }]],
    ],
  })
})

describe('Pet', () => {
  codecSuite({
    name: 'Pet',
    codec: Pet,
    values: pet,
    refused: [
      [{ id: '1', name: 'Rex', categoryId: 1n }, [{ pointer: '/id', reason: `${notInt64}, not a string` }]],
      [{}, faults(['/id', 'is required'], ['/name', 'is required'], ['/categoryId', 'is required'])],
    ],
  })
})

describe('the codecs of JSON texts', () => {
  const notText = 'must be a JSON text'
  codecSuite({
    name: 'PetFromJson',
    codec: PetFromJson,
    values: pet,
    refused: [
      ...sharing(notText, [7, null]),
      ['', whole(`${notText}: it is empty`)],
      ['{"id":1,"id":1}', whole(`${notText}: the name "id" appears twice in one object`)],
      ['[]', whole('must be an object')],
      ['{"id":4.0000000000000000001,"name":"Rex","categoryId":1}', [{ pointer: '/id', reason: notInt64 }]],
    ],
  })
  codecSuite({ name: 'NewPetFromJson', codec: NewPetFromJson, values: newPet, refused: [] })
})

describe('petFrom and isMadeFrom', () => {
  it('add the id to a new pet, and recognise its NewPet', () => {
    fc.assert(
      fc.property(petId(), newPet(), (id, sent) => {
        expect(petFrom(id, sent)).toStrictEqual({ id, ...sent })
        expect(isMadeFrom(petFrom(id, sent), sent)).toBe(true)
      }),
    )
  })

  it.each([...NEW_PET_MEMBERS])('distinguish by %s, like every member of NewPet', (member) => {
    const sent: NewPet = { name: 'Rex', categoryId: 1n, status: 'sold' }
    expect(isMadeFrom({ ...petFrom(1n, sent), [member]: 'another' }, sent)).toBe(false)
  })
})

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
          expect(parseNewPetJson(bytesOf(text))).toStrictEqual(parseJson(text))
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

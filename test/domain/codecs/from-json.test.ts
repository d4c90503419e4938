// The codecs of JSON texts: every digit survives both ways.
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { fromJson } from '../../../src/domain/codecs/from-json.js'
import { DurationMs } from '../../../src/domain/codecs/scalar.js'
import { PetCreatedFromJson } from '../../../src/domain/events/domain-event.js'
import { NewPetFromJson, PetFromJson } from '../../../src/domain/pets/pet.js'
import { newPet, pet, petCreated } from '../../../src/testing/arbitraries.js'
import { codecSuite, faults, faultsIn, whole } from '../../support/domain/codec-suite.js'

const int64 = 'must be an integer from -9223372036854775808 to 9223372036854775807'
const textFaults = [
  [7, whole('must be a JSON text')],
  [null, whole('must be a JSON text')],
  ['', whole('must be a JSON text: it is empty')],
  ['{"id":1,"id":1}', whole('must be a JSON text: the name "id" appears twice in one object')],
  ['[]', whole('must be an object')],
] as const

describe('PetFromJson', () => {
  codecSuite({
    name: 'PetFromJson',
    codec: PetFromJson,
    values: pet,
    refused: [
      ...textFaults,
      [
        '{"id":"1","categoryId":1.5,"status":null}',
        faults(
          ['/id', `${int64}, not a string`],
          ['/name', 'is required'],
          ['/categoryId', int64],
          ['/status', 'must be one of available, pending, sold'],
        ),
      ],
      ['{"id":9223372036854775808,"name":"Rex","categoryId":1}', [{ pointer: '/id', reason: int64 }]],
      ['{"id":4.0000000000000000001,"name":"Rex","categoryId":1e-400}', faults(['/id', int64], ['/categoryId', int64])],
    ],
  })
})

describe('NewPetFromJson', () => {
  codecSuite({
    name: 'NewPetFromJson',
    codec: NewPetFromJson,
    values: newPet,
    refused: [...textFaults, ['{"categoryId":1}', [{ pointer: '/name', reason: 'is required' }]]],
  })
})

describe('PetCreatedFromJson', () => {
  codecSuite({
    name: 'PetCreatedFromJson',
    codec: PetCreatedFromJson,
    values: petCreated,
    refused: [
      ...textFaults,
      [
        '{"_tag":"PetSold","eventId":7,"time":"now","pet":{"id":1,"name":"","categoryId":1}}',
        faults(
          ['/_tag', 'must be one of PetCreated'],
          ['/eventId', 'must be a string'],
          ['/time', 'must be an integer of milliseconds since 1970'],
          ['/pet/name', 'must have 1 to 256 characters'],
        ),
      ],
    ],
  })
})

describe('fromJson', () => {
  it('makes a codec of any other', () => {
    const codec = fromJson('Any', DurationMs)
    fc.assert(
      fc.property(fc.nat(), (value) => {
        expect(codec.decode(codec.encode(value))).toStrictEqual(E.right(value))
      }),
    )
    expect(faultsIn(codec, '-1')).toStrictEqual(whole('must be an integer of milliseconds from 0 to 3155760000000'))
  })
})

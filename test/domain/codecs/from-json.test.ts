// The codecs of JSON texts: every digit survives both ways.
import { describe } from 'vitest'
import { NewPetFromJson, PetFromJson } from '../../../src/domain/pets/pet.js'
import { newPet, pet } from '../../../src/testing/arbitraries.js'
import { codecSuite, faults, whole } from '../../support/domain/codec-suite.js'

const int64 = 'must be an integer from -9223372036854775808 to 9223372036854775807'

describe('PetFromJson', () => {
  codecSuite({
    name: 'PetFromJson',
    codec: PetFromJson,
    values: pet,
    refused: [
      [7, whole('must be a JSON text')],
      [null, whole('must be a JSON text')],
      ['', whole('must be a JSON text: it is empty')],
      ['{"id":1,"id":1}', whole('must be a JSON text: the name "id" appears twice in one object')],
      ['[]', whole('must be an object')],
      ['{"id":4.0000000000000000001,"name":"Rex","categoryId":1e-400}', faults(['/id', int64], ['/categoryId', int64])],
    ],
  })
})

describe('NewPetFromJson', () => {
  codecSuite({
    name: 'NewPetFromJson',
    codec: NewPetFromJson,
    values: newPet,
    refused: [['{"categoryId":1}', [{ pointer: '/name', reason: 'is required' }]]],
  })
})

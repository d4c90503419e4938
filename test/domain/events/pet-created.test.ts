import { describe } from 'vitest'
import { PetCreated } from '../../../src/domain/events/pet-created.js'
import { petCreated } from '../../../src/testing/arbitraries.js'
import { codecSuite, whole } from '../../support/domain/codec-suite.js'

describe('PetCreated', () => {
  const good = { _tag: 'PetCreated', eventId: 'e1', time: 0, pet: { id: 1n, name: 'Rex', categoryId: 7n } }
  codecSuite({
    name: 'PetCreated',
    codec: PetCreated,
    values: petCreated,
    refused: [
      [undefined, whole('must be an object')],
      [{ ...good, _tag: 'PetSold' }, [{ pointer: '/_tag', reason: 'must be one of PetCreated' }]],
      [{ ...good, traceparent: '00' }, [{ pointer: '/traceparent', reason: 'must be a traceparent of version 00' }]],
    ],
  })
})

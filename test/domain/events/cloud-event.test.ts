import fc from 'fast-check'
import { parse } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { MIN_INT64 } from '../../../src/domain/codecs/int64.js'
import {
  cloudEventAttributes,
  cloudEventJson,
  cloudEventType,
  cloudEventTypes,
} from '../../../src/domain/events/cloud-event.js'
import { petJson } from '../../../src/domain/pets/pet-json.js'
import { character, petCreated } from '../../../src/testing/arbitraries.js'

const settings = { source: 'https://pets.example/v1', typePrefix: 'org.animal-store' }
const anySettings = () => fc.record({ source: fc.string({ unit: character() }), typePrefix: fc.string() })

const event = {
  _tag: 'PetCreated' as const,
  eventId: '6f1c2d3e-0000-4000-8000-000000000001',
  time: 1_795_219_200_123,
  pet: { id: 9_007_199_254_740_991n, name: 'Rex', categoryId: MIN_INT64 },
}

describe('cloudEventTypes', () => {
  it('lists the types of all events, each with the prefix', () => {
    expect(cloudEventTypes(settings)).toStrictEqual(['org.animal-store.pet.created.v1'])
    expect(cloudEventTypes(settings)).toContain(cloudEventType('PetCreated', settings))
  })
})

describe('cloudEventAttributes', () => {
  it('names the type, the pet, the source and the time', () => {
    expect(cloudEventAttributes(event, settings)).toStrictEqual({
      specversion: '1.0',
      id: '6f1c2d3e-0000-4000-8000-000000000001',
      source: 'https://pets.example/v1',
      type: 'org.animal-store.pet.created.v1',
      subject: '9007199254740991',
      time: '2026-11-21T00:00:00.123Z',
      datacontenttype: 'application/json',
    })
  })
})

describe('cloudEventJson', () => {
  it('contains the attributes and the pet as JSON, for any values [cloud-event]', () => {
    fc.assert(
      fc.property(petCreated(), anySettings(), (created, used) => {
        const written = parse(cloudEventJson(created, used), undefined, BigInt)
        expect(written).toStrictEqual({ ...cloudEventAttributes(created, used), data: created.pet })
      }),
    )
  })

  it('has the API text of the pet as its data [cloud-event]', () => {
    fc.assert(
      fc.property(petCreated(), (created) => {
        expect(cloudEventJson(created, settings).endsWith(`","data":${petJson(created.pet)}}`)).toBe(true)
      }),
    )
  })

  it('is identical for each delivery of an event [cloud-event]', () => {
    expect(cloudEventJson(event, settings)).toBe(
      '{"specversion":"1.0","id":"6f1c2d3e-0000-4000-8000-000000000001","source":"https://pets.example/v1",' +
        '"type":"org.animal-store.pet.created.v1","subject":"9007199254740991","time":"2026-11-21T00:00:00.123Z",' +
        '"datacontenttype":"application/json",' +
        '"data":{"id":9007199254740991,"name":"Rex","categoryId":-9223372036854775808}}',
    )
  })
})

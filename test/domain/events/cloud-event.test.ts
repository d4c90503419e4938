import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { MAX_INT64, MIN_INT64 } from '../../../src/domain/codecs/scalar.js'
import { cloudEventFromJson, cloudEventJson } from '../../../src/domain/events/cloud-event.js'
import { PetCreated, TraceParent } from '../../../src/domain/events/domain-event.js'
import { character, domainEvent, petCreated } from '../../../src/testing/arbitraries.js'
import { codecSuite, faults, whole } from '../../support/domain/codec-suite.js'

const GOOD = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const settings = { source: 'https://pets.example/v1', typePrefix: 'org.animal-store' }
const anySettings = () =>
  fc.record({ source: fc.string({ unit: character() }), typePrefix: fc.string() }, { noNullPrototype: true })

const event = {
  _tag: 'PetCreated' as const,
  eventId: '6f1c2d3e-0000-4000-8000-000000000001',
  time: 1_795_219_200_123,
  pet: { id: 9_007_199_254_740_991n, name: 'Rex', categoryId: MIN_INT64, status: 'sold' } as const,
  traceparent: GOOD,
}

describe('PetCreated', () => {
  codecSuite({
    name: 'PetCreated',
    codec: PetCreated,
    values: petCreated,
    refused: [
      [
        { _tag: 'PetSold', eventId: 7, time: 'now', pet: { id: 1n, name: '', categoryId: 7n }, traceparent: '00' },
        faults(
          ['/_tag', 'must be one of PetCreated'],
          ['/eventId', 'must be a string'],
          ['/time', 'must be an integer of milliseconds since 1970'],
          ['/pet/name', 'must have 1 to 256 characters'],
          ['/traceparent', 'must be a traceparent of version 00'],
        ),
      ],
    ],
  })
})

describe('TraceParent', () => {
  codecSuite({
    name: 'TraceParent',
    codec: TraceParent,
    values: () => petCreated().map(({ traceparent = GOOD }) => traceparent),
    refused: [
      ...['', `0${GOOD}`, `${GOOD}0`, ` ${GOOD}`, `${GOOD}-x`, GOOD.toUpperCase(), GOOD.replace('00-', '01-')],
      ...[GOOD.replace(/-\w{32}-/, `-${'0'.repeat(32)}-`), GOOD.replace(/-\w{16}-/, `-${'0'.repeat(16)}-`)],
      ...[null, undefined, [GOOD]],
    ].map((input) => [input, whole('must be a traceparent of version 00')] as const),
  })
})

describe('cloudEventJson', () => {
  it('is identical for each delivery of an event [cloud-event]', () => {
    expect(cloudEventJson(event, settings)).toBe(
      '{"specversion":"1.0","id":"6f1c2d3e-0000-4000-8000-000000000001","source":"https://pets.example/v1",' +
        '"type":"org.animal-store.pet.created.v1","subject":"9007199254740991","time":"2026-11-21T00:00:00.123Z",' +
        `"datacontenttype":"application/json","traceparent":"${GOOD}",` +
        '"data":{"id":9007199254740991,"name":"Rex","categoryId":-9223372036854775808,"status":"sold"}}',
    )
  })
})

describe('cloudEventFromJson', () => {
  const rex: PetCreated = {
    _tag: 'PetCreated',
    eventId: 'e1',
    time: 7,
    pet: { id: 1n, name: 'Rex', categoryId: MAX_INT64 },
  }
  const text = cloudEventJson(rex, settings)

  it('returns every published event, with its source', () => {
    fc.assert(
      fc.property(domainEvent(), anySettings(), (published, used) => {
        expect(cloudEventFromJson(cloudEventJson(published, used))).toStrictEqual(
          E.right({ event: published, settings: used }),
        )
      }),
    )
  })

  it('ignores what it does not know', () => {
    const more = text.replace('{', '{"traceparent":"00-1-2-01",').replace('"name"', '"colour":"brown","name"')
    expect(cloudEventFromJson(more)).toStrictEqual(E.right({ event: rex, settings }))
  })

  it.each<readonly [string, string, string, string]>([
    ['of another version', '"specversion":"1.0"', '"specversion":"0.3"', '/specversion: must be one of 1.0'],
    ['of another type', 'pet.created.v1', 'pet.sold.v1', '/type: must end with .pet.created.v1'],
    ['about another pet', '"subject":"1"', '"subject":"2"', '/subject: must be 1'],
    ['without a time', '1970-01-01T00:00:00.007Z', 'now', '/time: must be a time like 2026-11-21T09:30:00Z'],
    ['that is cut', '}}', '}', ': must be a JSON text: it is not well-formed: it ends too early'],
  ])('refuses an event %s', (_, part, changed, fault) => {
    expect(text).toContain(part)
    const [pointer = '', ...reason] = fault.split(': ')
    expect(cloudEventFromJson(text.replace(part, changed))).toStrictEqual(
      E.left([{ pointer, reason: reason.join(': ') }]),
    )
  })
})

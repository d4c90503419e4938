import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { cloudEventJson } from '../../../src/domain/events/cloud-event.js'
import { cloudEventFromJson } from '../../../src/domain/events/cloud-event-from-json.js'
import { character, petCreated } from '../../../src/testing/arbitraries.js'

const settings = { source: 'https://pets.example/v1', typePrefix: 'org.animal-store' }
const anySettings = () =>
  fc.record({ source: fc.string({ unit: character() }), typePrefix: fc.string() }, { noNullPrototype: true })
const event = {
  _tag: 'PetCreated',
  eventId: 'e1',
  time: 7,
  pet: { id: 1n, name: 'Rex', categoryId: 2n ** 63n - 1n },
} as const
const text = cloudEventJson(event, settings)

describe('cloudEventFromJson', () => {
  it('returns every published event, with its source', () => {
    fc.assert(
      fc.property(petCreated(), anySettings(), (created, used) => {
        expect(cloudEventFromJson(cloudEventJson(created, used))).toStrictEqual(
          E.right({ event: created, settings: used }),
        )
      }),
    )
  })

  it('ignores what it does not know', () => {
    const more = text.replace('{', '{"traceparent":"00-1-2-01",').replace('"name"', '"colour":"brown","name"')
    expect(cloudEventFromJson(more)).toStrictEqual(E.right({ event, settings }))
  })

  it.each<readonly [string, string, string, string]>([
    ['of another version', '"specversion":"1.0"', '"specversion":"0.3"', '/specversion: must be one of 1.0'],
    ['without an id', '"id":"e1",', '', '/id: is required'],
    ['whose source is not a string', '"source":"https://pets.example/v1"', '"source":1', '/source: must be a string'],
    ['of another type', 'pet.created.v1', 'pet.sold.v1', '/type: must end with .pet.created.v1'],
    [
      'whose type is not a string',
      '"type":"org.animal-store.pet.created.v1"',
      '"type":1',
      '/type: must end with .pet.created.v1',
    ],
    ['about another pet', '"subject":"1"', '"subject":"2"', '/subject: must be 1'],
    ['without a time', '1970-01-01T00:00:00.007Z', 'now', '/time: must be a time like 2026-11-21T09:30:00Z'],
    ['without a name', '"name":"Rex",', '', '/data/name: is required'],
    ['that is cut', '}}', '}', ': must be a JSON text: it is not well-formed: it ends too early'],
  ])('refuses an event %s', (_, part, changed, fault) => {
    expect(text).toContain(part)
    const [pointer = '', ...reason] = fault.split(': ')
    expect(cloudEventFromJson(text.replace(part, changed))).toStrictEqual(
      E.left([{ pointer, reason: reason.join(': ') }]),
    )
  })
})

import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { eventOf } from '../../src/client/pet.js'
import { cloudEventJson } from '../../src/domain/events/cloud-event.js'
import { parseExactJson } from '../../src/domain/json/parse-json.js'
import { domainEvent } from '../../src/testing/arbitraries.js'

it('the client knows every event that is published', () => {
  const settings = { source: 'https://pets.test/v1', typePrefix: 'org.animal-store' }
  fc.assert(
    fc.property(domainEvent(), (event) => {
      const read = eventOf(E.toUnion(parseExactJson(cloudEventJson(event, settings))), '7')
      expect(read).toMatchObject({ id: event.eventId, position: '7' })
    }),
  )
})

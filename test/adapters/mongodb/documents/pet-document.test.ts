import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { decodeEvent, petDocument } from '../../../../src/adapters/mongodb/documents/pet-document.js'
import { petCreated } from '../../../../src/testing/arbitraries.js'

describe('the document of a pet', () => {
  it('decodes to the same pet and event, with anything else committed beside it', () => {
    const key = { lineage: 'k', key: 'retry-1', expiresAt: 86_400_000 }
    fc.assert(
      fc.property(petCreated(), fc.boolean(), fc.boolean(), (event, isRetriable, isRelayed) => {
        const document = petDocument({ event, idempotencyKey: isRetriable ? O.some(key) : O.none }, isRelayed)
        expect(decodeEvent(document)).toStrictEqual(E.right(event))
      }),
    )
  })

  const event = { id: 'e', time: new Date(5) }
  const good = { _id: 7n, name: 'Rex', categoryId: 1n, event }

  it('may come from another program, with int32 for int64 and unknown members', () => {
    expect(decodeEvent({ ...good, _id: 7, categoryId: -1, colour: 'brown' })).toStrictEqual(
      E.right({ _tag: 'PetCreated', eventId: 'e', time: 5, pet: { id: 7n, name: 'Rex', categoryId: -1n } }),
    )
  })

  const int64 = 'must be an integer from -9223372036854775808 to 9223372036854775807'

  it.each<readonly [string, object, string, string]>([
    ['whose id is a text', { ...good, _id: 'seven' }, 'seven', `/_id: ${int64}`],
    ['whose id is a fraction', { ...good, _id: 7.5 }, '7.5', `/_id: ${int64}`],
    ['without a name', { _id: 7n, categoryId: 1n, event }, '7', '/name: is required'],
    ['with a blank name', { ...good, name: ' ' }, '7', '/name: must not be only white space'],
    ['with a category beyond int64', { ...good, categoryId: 2n ** 63n }, '7', `/categoryId: ${int64}`],
    ['whose status is null', { ...good, status: null }, '7', '/status: must be one of available, pending, sold'],
    ['with two faults', { ...good, name: 1, status: 'x' }, '7', '/name: must be a string; /status: must be one of'],
    ['without its event', { _id: 7n, name: 'Rex', categoryId: 1n }, '7', '/event: is required'],
    ['whose event has no id', { ...good, event: { time: event.time } }, '7', '/event/id: is required'],
    ['whose time is a number', { ...good, event: { id: 'e', time: 5 } }, '7', '/event/time: must be a date'],
    ['whose time is invalid', { ...good, event: { id: 'e', time: new Date(NaN) } }, '7', '/event/time: must be a date'],
  ])('is damaged, with the place of the fault: one %s', (_, document, id, reason) => {
    expect(decodeEvent(document)).toStrictEqual(E.left({ record: 'pet', id, reason: expect.stringContaining(reason) }))
  })
})

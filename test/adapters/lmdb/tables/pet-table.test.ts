import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { decodePetRecord, encodePetRecord } from '../../../../src/adapters/lmdb/tables/pet-table.js'
import { petCreated } from '../../../../src/testing/arbitraries.js'

describe('the stored form of a pet', () => {
  it('returns every pet and its event exactly as stored', () => {
    fc.assert(
      fc.property(petCreated(), (event) => {
        expect(decodePetRecord(Number(event.pet.id), encodePetRecord(event))).toStrictEqual(E.right(event))
      }),
    )
  })

  const good = { id: '7', name: 'Rex', categoryId: '1', eventId: 'e', time: 5 }

  it('needs no status and no trace', () => {
    expect(decodePetRecord(7, Buffer.from(JSON.stringify(good)))).toStrictEqual(
      E.right({ _tag: 'PetCreated', eventId: 'e', time: 5, pet: { id: 7n, name: 'Rex', categoryId: 1n } }),
    )
  })

  it.each<readonly [string, unknown, string]>([
    ['of another id', { ...good, id: '8' }, '/id: is 8'],
    ['whose id is a number', { ...good, id: 7 }, '/id: must be the digits of an int64'],
    ['without a name', { ...good, name: undefined }, '/name: is required'],
    ['with a blank name', { ...good, name: ' ' }, '/name: must not be only white space'],
    [
      'with a category that is not an int64',
      { ...good, categoryId: '9223372036854775808' },
      '/categoryId: must be the digits',
    ],
    ['with an unknown status', { ...good, status: 'lost' }, '/status: must be one of available, pending, sold'],
    [
      'with a time that is not an instant',
      { ...good, time: 1.5 },
      '/time: must be an integer of milliseconds since 1970',
    ],
    ['without its event', { ...good, eventId: undefined }, '/eventId: is required'],
    [
      'with a trace that is not one',
      { ...good, traceparent: '00' },
      '/traceparent: must be a traceparent of version 00',
    ],
    ['that is an array', [good], 'must be an object'],
  ])('refuses a record %s', (_, stored, reason) => {
    expect(decodePetRecord(7, Buffer.from(JSON.stringify(stored)))).toStrictEqual(
      E.left(expect.stringContaining(reason)),
    )
  })

  it.each([
    ['are not JSON', Buffer.from('{"id":"7"')],
    ['are empty', Buffer.alloc(0)],
    ['are not UTF-8', Buffer.concat([Buffer.from('{"id":"7","name":"'), Buffer.from([0xff]), Buffer.from('"}')])],
  ])('refuses bytes that %s', (_, bytes) => {
    expect(decodePetRecord(7, bytes)).toStrictEqual(E.left('is not JSON'))
  })
})

import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { decodeHeldKey, decodeUnsent, unsentOf } from '../../../../src/adapters/mongodb/documents/pet-state.js'
import { faultsText } from '../../../../src/domain/codecs/struct.js'

describe('the state of an event that is not sent', () => {
  const unsent = { parked: true, failures: 3, dueAt: new Date(5), reason: 'no stream' }

  it('is decoded with its reason, if it was parked for one', () => {
    const { reason, ...waiting } = unsent
    expect(decodeUnsent({ unsent })).toStrictEqual(E.right({ parked: true, failures: 3, dueAt: 5, reason }))
    expect(decodeUnsent({ unsent: waiting })).toStrictEqual(E.right({ parked: true, failures: 3, dueAt: 5 }))
  })

  it('may come from another program, with int64 for a count', () => {
    expect(decodeUnsent({ unsent: { ...unsent, failures: 3n } })).toStrictEqual(decodeUnsent({ unsent }))
  })

  it.each<readonly [string, unknown, string]>([
    ['without it', {}, '/unsent: is required'],
    ['with a text for it', { unsent: 'no' }, '/unsent: must be an object'],
    ['with a text for a flag', { unsent: { ...unsent, parked: 'no' } }, '/unsent/parked: must be true or false'],
    ['without failures', { unsent: { parked: true, dueAt: unsent.dueAt } }, '/unsent/failures: is required'],
    [
      'with a text for a count',
      { unsent: { ...unsent, failures: '3' } },
      '/unsent/failures: must be an integer from 0',
    ],
    ['with half a failure', { unsent: { ...unsent, failures: 0.5 } }, '/unsent/failures: must be an integer from 0'],
    [
      'with too many failures',
      { unsent: { ...unsent, failures: 2n ** 53n + 1n } },
      '/unsent/failures: must be an integer from 0',
    ],
    ['with a number for a date', { unsent: { ...unsent, dueAt: 5 } }, '/unsent/dueAt: must be a date'],
    ['with a number for a reason', { unsent: { ...unsent, reason: 5 } }, '/unsent/reason: must be a string'],
  ])('is damaged in a document %s', (_, document, reason) => {
    expect(E.mapLeft(faultsText)(decodeUnsent(document))).toStrictEqual(E.left(reason))
    expect(unsentOf(document)).toMatchObject({ parked: false, failures: 0, dueAt: 0 })
  })
})

describe('the idempotency key of a document', () => {
  const idempotency = { apiKeyId: 'lineage', key: 'retry-1', turn: 0, expiresAt: new Date(90) }

  it('is decoded with its lineage', () => {
    expect(decodeHeldKey({ _id: 7n, idempotency })).toStrictEqual(
      E.right({ lineage: 'lineage', key: 'retry-1', expiresAt: 90 }),
    )
  })

  it.each<readonly [string, object, string]>([
    ['without it', {}, '/idempotency: is required'],
    ['without a lineage', { idempotency: { ...idempotency, apiKeyId: 1 } }, '/idempotency/apiKeyId: must be a string'],
    ['without a key', { idempotency: { ...idempotency, key: null } }, '/idempotency/key: must be a string'],
    ['without an end', { idempotency: { ...idempotency, expiresAt: 90 } }, '/idempotency/expiresAt: must be a date'],
  ])('is damaged in a document %s', (_, members, reason) => {
    expect(decodeHeldKey({ _id: 7n, ...members })).toStrictEqual(E.left({ record: 'idempotency key', id: '7', reason }))
  })
})

import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { decodeHeldKey, decodeUnsent } from '../../../../src/adapters/mongodb/documents/pet-state.js'

describe('the state of an event that is not sent', () => {
  const unsent = { parked: true, failures: 3, dueAt: new Date(5), reason: 'no stream' }

  it('is decoded with its reason, if it was parked for one', () => {
    const { reason, ...waiting } = unsent
    expect(decodeUnsent({ unsent })).toStrictEqual(E.right({ parked: true, failures: 3, dueAt: 5, reason }))
    expect(decodeUnsent({ unsent: waiting })).toStrictEqual(E.right({ parked: true, failures: 3, dueAt: 5 }))
  })

  it.each<readonly [string, object]>([
    ['without it', {}],
    ['with a text for a flag', { unsent: { ...unsent, parked: 'no' } }],
    ['without failures', { unsent: { parked: true, dueAt: unsent.dueAt } }],
    ['with a number for a date', { unsent: { ...unsent, dueAt: 5 } }],
    ['with a number for a reason', { unsent: { ...unsent, reason: 5 } }],
  ])('is damaged in a document %s', (_, document) => {
    expect(decodeUnsent(document)).toMatchObject({ _tag: 'Left' })
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
    ['without a lineage', { idempotency: { ...idempotency, apiKeyId: 1 } }, '/idempotency/apiKeyId: '],
    ['without a key', { idempotency: { ...idempotency, key: null } }, '/idempotency/key: '],
    ['without an end', { idempotency: { ...idempotency, expiresAt: 90 } }, '/idempotency/expiresAt: must be a date'],
  ])('is damaged in a document %s', (_, members, reason) => {
    expect(decodeHeldKey({ _id: 7n, ...members })).toStrictEqual(
      E.left({ record: 'idempotency key', id: '7', reason: expect.stringContaining(reason) }),
    )
  })
})

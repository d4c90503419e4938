import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import type { ArchiveRecord } from '../../../src/domain/archive/archive-record.js'
import { decideMerge, type MergeTarget, mergeInto } from '../../../src/domain/archive/decide-merge.js'
import { heldKey, keyRecord, NOW, petRecord, state } from '../../../src/testing/samples.js'

const ABSENT = E.right(O.none)
const DAMAGED = E.left('is not JSON')
const refused = (reason: string) => ({ write: O.none, result: { _tag: 'Refused', reason } })
const damaged = refused('the stored record is damaged: is not JSON')
const unchanged = { write: O.none, result: { _tag: 'Unchanged' } }
const added = <A>(value: A) => ({ write: O.some(value), result: { _tag: 'Added' } })
const has = <A>(value: A) => E.right(O.some(value))

describe('the decision about the state of a store', () => {
  it('raises the counter', () => {
    const raised = { write: O.some(5n), result: { _tag: 'Updated' } }
    expect(decideMerge.StoreState(state(5n), E.right(2n))).toStrictEqual(raised)
  })

  it('lowers no counter, and leaves a damaged one alone', () => {
    for (const last of [E.right(5n), E.right(6n), DAMAGED]) {
      expect(decideMerge.StoreState(state(5n), last)).toStrictEqual(unchanged)
    }
  })
})

describe('the decision about a pet', () => {
  const { event } = petRecord(1)

  it('adds a new one, and changes none', () => {
    expect(decideMerge.Pet(petRecord(1), ABSENT)).toStrictEqual(added(event))
    expect(decideMerge.Pet(petRecord(1), has(event))).toStrictEqual(unchanged)
    expect(decideMerge.Pet(petRecord(1), has({ ...event, eventId: 'other' }))).toStrictEqual(
      refused('the store has another pet with this id'),
    )
    expect(decideMerge.Pet(petRecord(1), DAMAGED)).toStrictEqual(damaged)
  })
})

describe('the decision about an API key', () => {
  const { key } = keyRecord()

  it('adds a new one, brings an older state up to date, and refuses another key', () => {
    const revoked = { ...key, revokedAt: O.some(7_000) }
    expect(decideMerge.ApiKey(keyRecord(), ABSENT)).toStrictEqual(added(key))
    expect(decideMerge.ApiKey(keyRecord(), has(key))).toStrictEqual(unchanged)
    expect(decideMerge.ApiKey(keyRecord(), has(revoked))).toStrictEqual(unchanged)
    expect(decideMerge.ApiKey({ _tag: 'ApiKey', key: revoked }, has(key))).toStrictEqual({
      write: O.some(revoked),
      result: { _tag: 'Updated' },
    })
    expect(decideMerge.ApiKey(keyRecord(), has({ ...key, hash: '0'.repeat(64) }))).toStrictEqual(
      refused('the store has another API key with this id: its hash differs'),
    )
    expect(decideMerge.ApiKey(keyRecord(), DAMAGED)).toStrictEqual(damaged)
  })
})

describe('the decision about an idempotency key', () => {
  const one = heldKey(1, 'k')
  const pet = has(petRecord(1).event)
  const heldBy = (petId: number | bigint, expiresAt = NOW + 1) => has({ petId, expiresAt })

  it('gives it to its pet, unless another one holds it now', () => {
    expect(decideMerge.IdempotencyKey(one, pet, ABSENT, NOW)).toStrictEqual(added(one))
    expect(decideMerge.IdempotencyKey(one, pet, heldBy(2, NOW), NOW)).toStrictEqual(added(one))
    expect(decideMerge.IdempotencyKey(one, pet, heldBy(2), NOW)).toStrictEqual(refused('pet 2 holds the same key'))
    expect(decideMerge.IdempotencyKey(one, pet, DAMAGED, NOW)).toStrictEqual(damaged)
  })

  it('changes nothing if its pet holds it already, or if it has expired', () => {
    expect(decideMerge.IdempotencyKey(one, pet, heldBy(1n), NOW)).toStrictEqual(unchanged)
    expect(decideMerge.IdempotencyKey(one, pet, heldBy(1, NOW), NOW)).toStrictEqual(unchanged)
    expect(decideMerge.IdempotencyKey(heldKey(1, 'k', NOW), ABSENT, ABSENT, NOW)).toStrictEqual(unchanged)
  })

  it('refuses one that names the event of another pet', () => {
    expect(decideMerge.IdempotencyKey({ ...one, eventId: 'other' }, pet, ABSENT, NOW)).toStrictEqual(
      refused('the store has another pet with this id'),
    )
  })

  it('refuses it without its pet', () => {
    expect(decideMerge.IdempotencyKey(one, ABSENT, ABSENT, NOW)).toStrictEqual(refused('the store lacks its pet'))
    expect(decideMerge.IdempotencyKey(one, DAMAGED, ABSENT, NOW)).toStrictEqual(damaged)
  })
})

describe('mergeInto', () => {
  /** A store with nothing in it but a counter; what is written into it. */
  const empty = () => {
    const written: unknown[] = []
    const write = (value: unknown): void => void written.push(value)
    const target: MergeTarget = {
      lastId: () => E.right(2n),
      putLastId: write,
      pet: (id) => (id === 9n ? has(petRecord(9).event) : ABSENT),
      putPet: write,
      apiKey: () => ABSENT,
      putApiKey: write,
      holder: () => ABSENT,
      putIdempotencyKey: write,
    }
    return { target, written }
  }

  it.each<readonly [ArchiveRecord, string, readonly unknown[]]>([
    [state(4n), 'Updated', [4n]],
    [state(1n), 'Unchanged', []],
    [petRecord(1), 'Added', [petRecord(1).event]],
    [petRecord(7), 'Added', [7n, petRecord(7).event]],
    [petRecord(9), 'Unchanged', []],
    [keyRecord(), 'Added', [keyRecord().key]],
    [heldKey(9), 'Added', [heldKey(9)]],
    [heldKey(8), 'Refused', []],
  ])('writes what is decided, and nothing else: %o', (record, tag, values) => {
    const { target, written } = empty()
    expect(mergeInto(target, record, NOW)).toMatchObject({ _tag: tag })
    expect(written).toStrictEqual(values)
  })

  it('names the expired holder of a key that it replaces, so that a store need not look it up again', () => {
    const { target, written } = empty()
    const expired = { petId: 3, expiresAt: NOW }
    const putIdempotencyKey: MergeTarget['putIdempotencyKey'] = (_, replaced) => void written.push(replaced)
    mergeInto({ ...target, holder: () => has(expired), putIdempotencyKey }, heldKey(9), NOW)
    expect(written).toStrictEqual([O.some(expired)])
  })
})

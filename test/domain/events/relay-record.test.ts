import { describe, expect, it } from 'vitest'
import { everythingAfter, isIn, LAST_NUMBER, NumberRanges } from '../../../src/domain/events/number-ranges.js'
import {
  joinedWith,
  MAX_PARKED,
  nextVersion,
  RelayRecord,
  releasedFrom,
  unusedAfter,
  withPending,
} from '../../../src/domain/events/relay-record.js'
import { relayRecord } from '../../../src/testing/contracts/event-log-samples.js'
import { range } from '../../../src/testing/samples.js'
import { codecSuite, faults } from '../../support/domain/codec-suite.js'
import { ranges } from '../../support/domain/log-reads.js'

const record: RelayRecord = { ...unusedAfter(10), leaseMs: 10_000, version: 3, holder: 'a' }
const parkedAt = (...numbers: readonly number[]) => numbers.map((number) => ({ number, reason: 'too large' }))

describe('RelayRecord', () => {
  codecSuite({
    name: 'RelayRecord',
    codec: RelayRecord,
    values: relayRecord,
    refused: [
      [null, [{ pointer: '', reason: 'must be an object' }]],
      [
        { ...record, pending: [[0, 1]], version: 0 },
        [
          {
            pointer: '/pending',
            reason: 'must be pairs of numbers from 1, ascending and neither overlapping nor adjacent',
          },
          { pointer: '/version', reason: 'must be an integer from 1' },
        ],
      ],
      [
        { ...record, parked: [{ number: 0 }] },
        faults(['/parked/0/number', 'must be an integer from 1'], ['/parked/0/reason', 'is required']),
      ],
      [{ ...record, hasSent: 1 }, [{ pointer: '/hasSent', reason: 'must be true or false' }]],
      [{ ...record, leaseMs: -1 }, [{ pointer: '/leaseMs', reason: 'must be an integer from 0' }]],
      [{ ...record, holder: null }, [{ pointer: '/holder', reason: 'must be a string' }]],
      [
        { ...record, attempts: { number: 1, count: 0 } },
        [{ pointer: '/attempts/count', reason: 'must be an integer from 1' }],
      ],
    ],
  })
})

describe('a relay record', () => {
  it('begins after a number', () => {
    expect(unusedAfter(0)).toStrictEqual({
      pending: [[1, LAST_NUMBER]],
      parked: [],
      hasSent: false,
      leaseMs: 0,
      version: 0,
    })
  })

  it('counts its versions, and has no holder once it is released', () => {
    expect(nextVersion(record, { hasSent: true })).toStrictEqual({ ...record, hasSent: true, version: 4 })
    expect(releasedFrom(record)).toStrictEqual({ ...unusedAfter(10), leaseMs: 10_000, version: 4 })
  })

  it('sends numbers again, and no longer parks them', () => {
    const parked = parkedAt(2, 5, 7)
    expect(withPending({ ...record, parked }, ranges([4, 5], [7, 7]))).toStrictEqual({
      ...record,
      pending: ranges([4, 5], [7, 7], [11, LAST_NUMBER]),
      parked: parkedAt(2),
    })
  })

  it('stays small, and loses no number, however many are sent again', () => {
    const many = range(1, 200_000).map((at) => [at * 3, at * 3] as const)
    const { pending } = withPending({ ...record, pending: everythingAfter(1_000_000) }, many)
    expect(pending).toHaveLength(1_000)
    expect(NumberRanges.is(pending)).toBe(true)
    expect(many.filter(([number]) => !isIn(pending, number))).toStrictEqual([])
  })

  describe('with the position of an export', () => {
    it('sends what waited there, and not what was sent there', () => {
      const imported = {
        pending: ranges([13, 14], [18, 18]),
        parked: parkedAt(16),
        hasSent: true,
      }
      expect(joinedWith(record, imported, [[12, 20]])).toStrictEqual({
        ...record,
        pending: ranges([11, 11], [13, 14], [18, 18], [21, LAST_NUMBER]),
        parked: parkedAt(16),
        hasSent: true,
      })
    })

    it('parks nothing that it sends, and tries again what has no room', () => {
      const full = { ...record, parked: parkedAt(...range(100, 98 + MAX_PARKED)), pending: everythingAfter(5_000) }
      const joined = joinedWith(full, { pending: [[7, 7]], parked: parkedAt(7, 8, 9), hasSent: false }, [])
      expect(joined.parked).toHaveLength(MAX_PARKED)
      expect(joined.parked[0]).toStrictEqual(parkedAt(8)[0])
      expect(joined.pending).toStrictEqual(ranges([7, 7], [9, 9], [5_001, LAST_NUMBER]))
    })

    it('drops none of 200,000 parked events, as an upgrade may find', () => {
      const parked = range(1, 200_000).map((number) => ({ number, reason: 'too large' }))
      const joined = joinedWith(unusedAfter(300_000), { pending: [], parked, hasSent: true }, [])
      expect(joined.parked).toStrictEqual(parked.slice(0, MAX_PARKED))
      expect(joined.pending).toStrictEqual(ranges([MAX_PARKED + 1, 200_000], [300_001, LAST_NUMBER]))
    })
  })
})

import { describe, expect, it } from 'vitest'
import {
  nextVersion,
  RelayRecord,
  releasedFrom,
  rewoundTo,
  unusedAfter,
  withParkedRetried,
} from '../../../src/domain/events/relay-record.js'
import { relayRecord } from '../../../src/testing/arbitraries.js'
import { codecSuite, faults } from '../../support/domain/codec-suite.js'

const record: RelayRecord = { ...unusedAfter(10), leaseMs: 10_000, version: 3, holder: 'a' }
const parkedAt = (...numbers: readonly number[]) => numbers.map((number) => ({ number, reason: 'too large' }))

describe('RelayRecord', () => {
  codecSuite({
    name: 'RelayRecord',
    codec: RelayRecord,
    values: relayRecord,
    refused: [
      [
        { ...record, position: -1, version: 0 },
        faults(['/position', 'must be an integer from 0'], ['/version', 'must be an integer from 1']),
      ],
      [{ ...record, retry: [2, 2] }, [{ pointer: '/retry', reason: 'must be ascending integers from 1' }]],
      [
        { ...record, parked: [{ number: 0 }] },
        faults(['/parked/0/number', 'must be an integer from 1'], ['/parked/0/reason', 'is required']),
      ],
      [
        { ...record, attempts: { number: 1, count: 0 } },
        [{ pointer: '/attempts/count', reason: 'must be an integer from 1' }],
      ],
    ],
  })
})

describe('a relay record', () => {
  it('counts its versions, and has no holder once it is released', () => {
    expect(nextVersion(record, { hasSent: true })).toStrictEqual({ ...record, hasSent: true, version: 4 })
    expect(releasedFrom(record)).toStrictEqual({ ...unusedAfter(10), leaseMs: 10_000, version: 4 })
  })

  it('sends everything after a number again, and neither parks nor retries any of it', () => {
    const busy = { ...record, retry: [3, 6], parked: parkedAt(4, 9), attempts: { number: 11, count: 2 } }
    expect(rewoundTo(busy, 5)).toStrictEqual({ ...record, position: 5, retry: [3], parked: parkedAt(4) })
    // what has the number itself is not after it, so nothing else would send it
    expect(rewoundTo(busy, 6)).toMatchObject({ position: 6, retry: [3, 6], parked: parkedAt(4) })
    expect(rewoundTo(busy, 4)).toMatchObject({ position: 4, retry: [3], parked: parkedAt(4) })
    expect(rewoundTo(busy, 12)).toMatchObject({ position: 10, retry: [3, 6], parked: parkedAt(4, 9) })
  })

  it('retries all parked events, in the order of their numbers', () => {
    expect(withParkedRetried({ ...record, retry: [4], parked: parkedAt(2, 7) })).toStrictEqual({
      ...record,
      retry: [2, 4, 7],
    })
  })
})

import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { eventNumber } from '../../../src/domain/events/domain-event.js'
import { LAST_NUMBER } from '../../../src/domain/events/number-ranges.js'
import { type RelayBatch, readBatch, settle, withoutBatch } from '../../../src/domain/events/relay-events.js'
import { MAX_PARKED, type RelayRecord } from '../../../src/domain/events/relay-record.js'
import { makeBackOff } from '../../../src/domain/events/send-batch.js'
import type { Delivery } from '../../../src/ports/event-publisher.js'
import { range, succeed } from '../../../src/testing/samples.js'
import { holding, ranges, start } from '../../support/domain/log-reads.js'

describe('readBatch', () => {
  it('reads from the first pending event on, up to the size of a batch or the end of its range', async () => {
    const { log } = await holding(...range(1, 30))
    const numbersOf = async (record: RelayRecord) => {
      const batch = await succeed(readBatch({ log })(record, 10))
      return O.isNone(batch) ? [] : batch.value.events.map(eventNumber)
    }
    expect(await numbersOf(start)).toStrictEqual(range(1, 10))
    expect(await numbersOf({ ...start, pending: ranges([4, 6], [20, LAST_NUMBER]) })).toStrictEqual([4, 5, 6])
    expect(await numbersOf({ ...start, pending: [[31, LAST_NUMBER]] })).toStrictEqual([])
    expect(await numbersOf({ ...start, pending: [] })).toStrictEqual([])
  })

  it('reads a refused event alone, until it is no longer pending', async () => {
    const { log } = await holding(...range(1, 9))
    const attempts = { number: 5, count: 1 }
    const read = async (record: RelayRecord) => O.toUndefined(await succeed(readBatch({ log })(record, 10)))
    expect(await read({ ...start, attempts })).toMatchObject({ after: 4, events: [{ pet: { id: 5n } }], upTo: 5 })
    expect(await read({ ...start, attempts, pending: [[7, 8]] })).toMatchObject({ after: 6, upTo: 8 })
  })
})

describe('settle', () => {
  const batch = (damaged: readonly number[], upTo: number): RelayBatch => ({
    after: 0,
    events: [],
    damaged,
    upTo,
  })

  it('parks damaged records that are pending, and passes unused numbers', () => {
    const { record, parked } = settle({ ...start, pending: [[3, LAST_NUMBER]] }, batch([2, 4], 8), new Map(), 3)
    expect(parked).toStrictEqual([{ number: 4, reason: 'its record is damaged' }])
    expect(record).toMatchObject({ pending: [[9, LAST_NUMBER]], parked, hasSent: false })
  })

  it('cuts long reasons', () => {
    const long: Delivery = { _tag: 'Poisoned', reason: 'x'.repeat(10_000) }
    const { record } = settle(start, batch([], 1), new Map([[1, long]]), 1)
    expect(record.parked).toStrictEqual([{ number: 1, reason: 'x'.repeat(200) }])
  })

  it('stops and says so when no more events can be parked, and drops none', () => {
    const full = {
      ...start,
      pending: [[5_000, LAST_NUMBER]] as const,
      parked: range(1, MAX_PARKED).map((number) => ({ number, reason: '' })),
    }
    const outcome = settle(full, batch([5_000], 5_001), new Map(), 1)
    expect(outcome.record).toStrictEqual(full)
    expect(O.toUndefined(outcome.outage)?.reason).toMatch(/1000 events are parked/)
  })

  it('gives out nothing below a position that a store does not know', () => {
    expect(withoutBatch({ ...start, pending: [[9, 9]] }, { after: 8, upTo: 3 }).pending).toStrictEqual([[9, 9]])
  })
})

const settings = { initialMs: 100, maxMs: 5_000 }
const rolled = (...bytes: readonly number[]) => makeBackOff({ randomBytes: () => Uint8Array.from(bytes) }, settings)

describe('makeBackOff', () => {
  it.each([
    [1, 50, 100],
    [2, 100, 200],
    [6, 1_600, 3_200],
    [7, 2_500, 5_000],
    [5_000, 2_500, 5_000],
  ])('waits after %i failures from %i to %i ms', (failures, least, most) => {
    expect(rolled(0, 0, 0, 0)(failures)).toBe(least)
    expect(rolled(255, 255, 255, 255)(failures)).toBe(most)
  })

  it('never waits less than half of the first delay or more than the bound', () => {
    const bytes = fc.uint8Array({ minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 100_000 }), (random, failures) => {
        const delay = rolled(...random)(failures)
        expect(delay).toBeGreaterThanOrEqual(settings.initialMs / 2)
        expect(delay).toBeLessThanOrEqual(settings.maxMs)
      }),
    )
  })

  it('spreads the delays of instances that failed together', () => {
    expect(rolled(0, 0, 0, 1)(7)).not.toBe(rolled(0, 0, 0, 200)(7))
  })
})

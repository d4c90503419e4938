import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { eventNumber } from '../../../src/domain/events/domain-event.js'
import { type RelayBatch, readBatch, settle } from '../../../src/domain/events/relay-batch.js'
import { MAX_PARKED, type RelayRecord } from '../../../src/domain/events/relay-record.js'
import type { Delivery } from '../../../src/ports/event-publisher.js'
import { event, range, succeed } from '../../../src/testing/samples.js'
import { delivered, failed, holding, poisoned, start } from '../../support/domain/log-reads.js'

describe('readBatch', () => {
  it.each<[string, Partial<RelayRecord>, readonly number[], number]>([
    ['what follows the position, up to the size of a batch', { position: 3 }, range(4, 13), 13],
    ['nothing at the end of the log', { position: 30 }, [], 30],
    ['a refused event alone', { position: 4, attempts: { number: 5, count: 1 } }, [5], 5],
    ['an event to be sent again before all others', { position: 20, retry: [7, 9] }, [7], 20],
    ['nothing for one that is not there', { position: 40, retry: [35] }, [], 40],
  ])('reads %s', async (_, changes, numbers, upTo) => {
    const { log } = await holding(...range(1, 30))
    const batch = await succeed(readBatch({ log })({ ...start, ...changes }, 10))
    expect([batch.events.map(eventNumber), batch.upTo]).toStrictEqual([numbers, upTo])
  })
})

const batchOf = (numbers: readonly number[], more: Partial<RelayBatch> = {}): RelayBatch => ({
  events: numbers.map((number) => event(number)),
  damaged: [],
  upTo: numbers.at(-1) ?? 0,
  ...more,
})
const DAMAGED = 'its record is damaged'
const PARKED = { number: 9, reason: '' }

describe('settle', () => {
  it.each<[string, Partial<RelayRecord>, RelayBatch, readonly (Delivery | undefined)[], object]>([
    [
      'moves on after events that were delivered, and over numbers without one [relayed]',
      {},
      batchOf([1, 2], { upTo: 4 }),
      [delivered, delivered],
      { position: 4, hasSent: true, sent: 2, refusals: 0, outage: O.none },
    ],
    ['moves on where there is no event', {}, batchOf([], { upTo: 4 }), [], { position: 4, hasSent: false, sent: 0 }],
    ['stays where a store knows less than before', { position: 9 }, batchOf([], { upTo: 3 }), [], { position: 9 }],
    [
      'stops before the first event of an outage, which is no attempt [relayed]',
      {},
      batchOf([1, 2, 3]),
      [delivered, failed, delivered],
      { position: 1, attempts: undefined, sent: 1, refusals: 0, outage: O.some(failed) },
    ],
    [
      'stops before an event that was not tried, which is neither an outage nor an attempt',
      {},
      batchOf([1, 2]),
      [delivered],
      { position: 1, attempts: undefined, sent: 1, refusals: 0, outage: O.none },
    ],
    [
      'counts a refusal, and stops before the refused event',
      {},
      batchOf([1, 2, 3]),
      [delivered, poisoned, delivered],
      { position: 1, attempts: { number: 2, count: 1 }, parked: [], refusals: 1, outage: O.none },
    ],
    [
      'neither counts nor forgives in an outage',
      { attempts: { number: 1, count: 2 } },
      batchOf([1]),
      [failed],
      { position: 0, attempts: { number: 1, count: 2 }, refusals: 0 },
    ],
    [
      'counts the attempts of one number only',
      { attempts: { number: 1, count: 2 } },
      batchOf([1, 2]),
      [delivered, poisoned],
      { position: 1, attempts: { number: 2, count: 1 }, refusals: 1 },
    ],
    [
      'parks an event that was refused for the third time, and goes on',
      { attempts: { number: 1, count: 2 } },
      batchOf([1, 2]),
      [{ _tag: 'Poisoned', reason: 'x'.repeat(10_000) }, delivered],
      { position: 2, attempts: undefined, parked: [{ number: 1, reason: 'x'.repeat(200) }], sent: 1, refusals: 0 },
    ],
    [
      'parks damaged records at their place in the order',
      { parked: [PARKED] },
      batchOf([1, 3], { damaged: [2, 4], upTo: 4 }),
      [delivered, failed],
      {
        position: 2,
        parked: [{ number: 2, reason: DAMAGED }, PARKED],
        sent: 1,
        outage: O.some(failed),
      },
    ],
    [
      'sends a parked event again without moving the position',
      { position: 20, retry: [7, 9] },
      batchOf([7], { upTo: 20, retry: 7 }),
      [delivered],
      { position: 20, retry: [9], sent: 1 },
    ],
    [
      'keeps one that is to be sent again while it fails',
      { position: 20, retry: [7, 9] },
      batchOf([7], { upTo: 20, retry: 7 }),
      [failed],
      { position: 20, retry: [7, 9], outage: O.some(failed) },
    ],
    [
      'forgets one that is to be sent again and is not there',
      { position: 20, retry: [7] },
      batchOf([], { upTo: 20, retry: 7 }),
      [],
      { position: 20, retry: [], sent: 0 },
    ],
  ])('%s', (_, changes, batch, deliveries, expected) => {
    const { record, sent, refusals, outage } = settle({ ...start, ...changes }, batch, deliveries, 3)
    expect({ attempts: undefined, ...record, sent, refusals, outage }).toMatchObject(expected)
  })

  it('parks what it has room for, then stops and says so, and sends nothing again', async () => {
    const parked = range(1, MAX_PARKED - 2).map((number) => ({ number, reason: '' }))
    const batch = batchOf([5_001, 5_005], { damaged: [5_002, 5_003], upTo: 5_005 })
    const before = { ...start, position: 5_000, retry: [2_000], parked }
    const { record, sent, outage } = settle(before, batch, [delivered, delivered], 1)
    const full = [...parked, { number: 5_002, reason: DAMAGED }]
    expect([record, sent]).toStrictEqual([{ ...before, position: 5_002, parked: full, hasSent: true }, 1])
    expect(O.toUndefined(outage)?.reason).toMatch(/1000 events are parked/)

    const { log } = await holding(...range(1, 30))
    const next = await succeed(readBatch({ log })({ ...record, position: 3, retry: [], parked: [...full, PARKED] }, 10))
    expect(next.events.map(eventNumber)).toStrictEqual([4])
    const again = settle(record, { events: [], damaged: [5_003], upTo: 5_003 }, [], 1)
    expect([again.record, again.parked]).toStrictEqual([record, []])
  })

  it('parks one again that was to be sent again, although there is room for no other', () => {
    const parked = range(1, MAX_PARKED - 1).map((number) => ({ number, reason: '' }))
    const { record } = settle({ ...start, retry: [2_000], parked }, batchOf([2_000], { retry: 2_000 }), [poisoned], 1)
    expect([record.retry, record.parked.length]).toStrictEqual([[], MAX_PARKED])
  })
})

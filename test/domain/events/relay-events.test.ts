import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { eventNumber } from '../../../src/domain/events/domain-event.js'
import { LAST_NUMBER } from '../../../src/domain/events/number-ranges.js'
import { type RelayBatch, readBatch, sendBatch, settle, withoutBatch } from '../../../src/domain/events/relay-events.js'
import { MAX_PARKED, type RelayRecord, unusedAfter } from '../../../src/domain/events/relay-record.js'
import type { Delivery } from '../../../src/ports/event-publisher.js'
import { eventOf, numbered, range, recordOf } from '../../../src/testing/contracts/pet-samples.js'
import { succeed } from '../../../src/testing/outcome.js'

const settings = { batchSize: 10, leaseMs: 30_000, attemptsBeforeParking: 3, backOff: { initialMs: 100, maxMs: 5_000 } }
const delivered: Delivery = { _tag: 'Delivered' }
const failed: Delivery = { _tag: 'Failed', reason: 'the broker is down' }
const poisoned: Delivery = { _tag: 'Poisoned', reason: 'too large' }
const start: RelayRecord = { ...unusedAfter(0), leaseMs: 30_000, version: 1 }

/** A store with events 1 to `count`, and a broker that answers by number. */
const scene = async (count: number, answers: Readonly<Record<number, Delivery>> = {}) => {
  const { pets, log } = makeMemoryStore()
  for (const id of range(1, count)) await succeed(pets.add(recordOf(eventOf(numbered(id)))))
  const published: (readonly number[])[] = []
  const publisher = {
    publish: (events: readonly { readonly pet: { readonly id: bigint } }[]) => async () => {
      published.push(events.map(({ pet }) => Number(pet.id)))
      return events.map(({ pet }) => answers[Number(pet.id)] ?? delivered)
    },
  }
  const pass = async (record: RelayRecord) => {
    const batch = await succeed(readBatch({ log })(record, settings.batchSize))
    if (O.isNone(batch)) throw new Error('expected a batch')
    return sendBatch({ publisher })(record, batch.value, settings)()
  }
  return { log, published, pass }
}

describe('readBatch', () => {
  it('reads from the first pending event on, up to the size of a batch or the end of its range', async () => {
    const { log } = await scene(30)
    const numbersOf = async (record: RelayRecord) => {
      const batch = await succeed(readBatch({ log })(record, 10))
      return O.isNone(batch) ? [] : batch.value.page.events.map(eventNumber)
    }
    expect(await numbersOf(start)).toStrictEqual(range(1, 10))
    expect(
      await numbersOf({
        ...start,
        pending: [
          [4, 6],
          [20, LAST_NUMBER],
        ],
      }),
    ).toStrictEqual([4, 5, 6])
    expect(await numbersOf({ ...start, pending: [[31, LAST_NUMBER]] })).toStrictEqual([])
    expect(await numbersOf({ ...start, pending: [] })).toStrictEqual([])
  })

  it('reads a refused event alone, until it is no longer pending', async () => {
    const { log } = await scene(9)
    const attempts = { number: 5, count: 1 }
    const read = async (record: RelayRecord) => O.toUndefined(await succeed(readBatch({ log })(record, 10)))?.request
    expect(await read({ ...start, attempts })).toStrictEqual({ after: 4, limit: 1 })
    expect(await read({ ...start, attempts, pending: [[7, 9]] })).toStrictEqual({ after: 6, limit: 3 })
  })
})

describe('sendBatch', () => {
  it('publishes pending events in order, and moves on', async () => {
    const { published, pass } = await scene(12)
    const first = await pass({
      ...start,
      pending: [
        [2, 3],
        [5, LAST_NUMBER],
      ],
    })
    expect(first).toMatchObject({ sent: 2, refusals: 0, outage: O.none, parked: [] })
    expect(first.record).toMatchObject({ pending: [[5, LAST_NUMBER]], hasSent: true, version: 1 })
    const second = await pass(first.record)
    expect(second.record.pending).toStrictEqual([[13, LAST_NUMBER]])
    expect(published).toStrictEqual([[2, 3], range(5, 12)])
  })

  it('keeps undelivered events pending, and counts an outage as no attempt', async () => {
    const { pass } = await scene(6, { 2: failed, 4: failed })
    const { record, ...outcome } = await pass(start)
    expect(outcome).toStrictEqual({ sent: 4, refusals: 0, outage: O.some('the broker is down'), parked: [] })
    expect(record.pending).toStrictEqual([
      [2, 2],
      [4, 4],
      [7, LAST_NUMBER],
    ])
    expect(record).not.toHaveProperty('attempts')
  })

  it('parks an event that was refused three times, alone in between, and then the next one', async () => {
    const { published, pass } = await scene(5, { 2: poisoned, 3: poisoned })
    let record = start
    const refusals: number[] = []
    const parked: number[] = []
    for (let turn = 0; turn < 5; turn += 1) {
      const outcome = await pass(record)
      record = outcome.record
      refusals.push(outcome.refusals)
      parked.push(...outcome.parked.map(({ number }) => number))
    }
    expect(published).toStrictEqual([[1, 2, 3, 4, 5], [2], [2], [3], [3]])
    expect(refusals).toStrictEqual([1, 2, 0, 1, 2])
    expect(parked).toStrictEqual([2])
    const last = await pass(record)
    expect(last.record).toMatchObject({
      pending: [[6, LAST_NUMBER]],
      parked: [
        { number: 2, reason: 'too large' },
        { number: 3, reason: 'too large' },
      ],
    })
    expect(last.record).not.toHaveProperty('attempts')
  })

  it('counts the attempts of one number only', async () => {
    const { pass } = await scene(3, { 1: poisoned })
    const once = await pass({ ...start, attempts: { number: 3, count: 2 }, pending: [[1, LAST_NUMBER]] })
    expect(once.record.attempts).toBeUndefined()
    const first = await pass(once.record)
    expect(first.record.attempts).toStrictEqual({ number: 1, count: 1 })
  })

  it('neither counts nor forgets attempts in an outage', async () => {
    const answers: Record<number, Delivery> = { 1: failed }
    const { pass } = await scene(1, answers)
    const attempts = { number: 1, count: 2 }
    const during = await pass({ ...start, attempts })
    expect(during.record.attempts).toStrictEqual(attempts)
    answers[1] = poisoned
    expect((await pass(during.record)).parked).toStrictEqual([{ number: 1, reason: 'too large' }])
  })

  it('asks the publisher for nothing where there are no events', async () => {
    const page = { events: [], damaged: [], upTo: 4 }
    const publisher = { publish: () => () => Promise.reject(new Error('nothing to publish')) }
    const { record } = await sendBatch({ publisher })(start, { request: { after: 0, limit: 10 }, page }, settings)()
    expect(record.pending).toStrictEqual([[5, LAST_NUMBER]])
  })

  it('takes a missing outcome for an outage', async () => {
    const { log } = await scene(2)
    const batch = await succeed(readBatch({ log })(start, 10))
    if (O.isNone(batch)) throw new Error('expected a batch')
    const publisher = { publish: () => async () => [delivered] }
    const { record, outage } = await sendBatch({ publisher })(start, batch.value, settings)()
    expect(outage).toStrictEqual(O.some('the publisher reported no outcome'))
    expect(record.pending).toStrictEqual([[2, LAST_NUMBER]])
  })
})

describe('settle', () => {
  const batch = (damaged: readonly number[], upTo: number): RelayBatch => ({
    request: { after: 0, limit: 10 },
    page: { events: [], damaged, upTo },
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
    expect(O.toUndefined(outcome.outage)).toMatch(/1000 events are parked/)
  })

  it('gives out nothing below a position that a store does not know', () => {
    expect(
      withoutBatch(
        { ...start, pending: [[9, 9]] },
        { request: { after: 8, limit: 1 }, page: { events: [], damaged: [], upTo: 3 } },
      ).pending,
    ).toStrictEqual([[9, 9]])
  })
})

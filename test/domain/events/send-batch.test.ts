import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { LAST_NUMBER } from '../../../src/domain/events/number-ranges.js'
import { readBatch } from '../../../src/domain/events/relay-events.js'
import type { RelayRecord } from '../../../src/domain/events/relay-record.js'
import { sendBatch } from '../../../src/domain/events/send-batch.js'
import type { Delivery, EventPublisher } from '../../../src/ports/event-publisher.js'
import { range, succeed } from '../../../src/testing/samples.js'
import { delivered, failed, holding, PASSES, poisoned, ranges, start } from '../../support/domain/log-reads.js'

/** A store with events 1 to `count`, and a broker that answers by number. */
const scene = async (count: number, responses: Readonly<Record<number, Delivery>> = {}) => {
  const { log } = await holding(...range(1, count))
  const published: (readonly number[])[] = []
  const publisher = {
    publish: (events: readonly { readonly pet: { readonly id: bigint } }[]) => async () => {
      published.push(events.map(({ pet }) => Number(pet.id)))
      return events.map(({ pet }) => responses[Number(pet.id)] ?? delivered)
    },
  }
  const pass = async (record: RelayRecord) => {
    const batch = await succeed(readBatch({ log })(record, PASSES.batchSize))
    if (O.isNone(batch)) throw new Error('expected a batch')
    return sendBatch({ log, publisher })(record, batch.value, PASSES)()
  }
  return { log, published, pass }
}

describe('sendBatch', () => {
  it('publishes pending events in order, and moves on [relayed]', async () => {
    const { published, pass } = await scene(12)
    const first = await pass({ ...start, pending: ranges([2, 3], [5, LAST_NUMBER]) })
    expect(first).toMatchObject({ sent: 2, failures: 0, outage: O.none, parked: [] })
    expect(first.record).toMatchObject({ pending: [[5, LAST_NUMBER]], hasSent: true, version: 1 })
    const second = await pass(first.record)
    expect(second.record.pending).toStrictEqual([[13, LAST_NUMBER]])
    expect(published).toStrictEqual([[2, 3], range(5, 12)])
  })

  it('keeps undelivered events pending, and counts an outage as no attempt [relayed]', async () => {
    const { pass } = await scene(6, { 2: failed, 4: failed })
    const { record, ...outcome } = await pass(start)
    expect(outcome).toMatchObject({ sent: 4, failures: 0, outage: O.some({ ...failed, number: 2 }), parked: [] })
    expect(record.pending).toStrictEqual(ranges([2, 2], [4, 4], [7, LAST_NUMBER]))
    expect(record).not.toHaveProperty('attempts')
  })

  it('parks an event that was refused three times, alone in between, and then the next one', async () => {
    const { published, pass } = await scene(5, { 2: poisoned, 3: poisoned })
    let record = start
    const failures: number[] = []
    const parked: number[] = []
    for (let turn = 0; turn < 5; turn += 1) {
      const outcome = await pass(record)
      record = outcome.record
      failures.push(outcome.failures)
      parked.push(...outcome.parked.map(({ number }) => number))
    }
    expect(published).toStrictEqual([[1, 2, 3, 4, 5], [2], [2], [3], [3]])
    expect(failures).toStrictEqual([1, 2, 0, 1, 2])
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
    const responses: Record<number, Delivery> = { 1: failed }
    const { pass } = await scene(1, responses)
    const attempts = { number: 1, count: 2 }
    const during = await pass({ ...start, attempts })
    expect(during.record.attempts).toStrictEqual(attempts)
    responses[1] = poisoned
    expect((await pass(during.record)).parked).toStrictEqual([{ number: 1, reason: 'too large' }])
  })

  it('asks the publisher for nothing where there are no events', async () => {
    const batch = { after: 0, events: [], damaged: [], upTo: 4 }
    const publisher = { publish: () => () => Promise.reject(new Error('nothing to publish')) }
    const { record } = await sendBatch({ log: makeMemoryStore().log, publisher })(start, batch, PASSES)()
    expect(record.pending).toStrictEqual([[5, LAST_NUMBER]])
  })
})

describe('sendBatch with a publisher that stops early', () => {
  const sendOf = async (publish: EventPublisher['publish']) => {
    const { log } = await scene(3)
    const batch = await succeed(readBatch({ log })(start, 10))
    if (O.isNone(batch)) throw new Error('expected a batch')
    return sendBatch({ log, publisher: { publish } })(start, batch.value, PASSES)()
  }

  it('keeps what was not tried pending, which is neither an outage nor an attempt', async () => {
    const { record, ...outcome } = await sendOf(() => async () => [delivered])
    expect(outcome).toMatchObject({ sent: 1, failures: 0, outage: O.none, isWhole: false })
    expect(record).toMatchObject({ pending: [[2, LAST_NUMBER]], hasSent: true })
    expect(record).not.toHaveProperty('attempts')
  })

  it('counts an attempt of the refused event alone', async () => {
    const { record, failures, outage } = await sendOf(() => async () => [delivered, poisoned])
    expect([failures, outage]).toStrictEqual([1, O.none])
    expect(record).toMatchObject({ pending: [[2, LAST_NUMBER]], attempts: { number: 2, count: 1 } })
  })

  it.each<readonly [string, EventPublisher['publish'], string]>([
    ['reports nothing', () => async () => [], 'the publisher reported no delivery'],
    ['rejects', () => () => Promise.reject(new Error('defect')), 'Error: defect'],
    [
      'throws',
      () => {
        throw new Error('defect')
      },
      'Error: defect',
    ],
  ])('takes one that %s for an outage', async (_, publish, reason) => {
    const { record, outage } = await sendOf(publish)
    expect(outage).toStrictEqual(O.some({ _tag: 'Failed', reason, number: 1 }))
    expect(record.pending).toStrictEqual([[1, LAST_NUMBER]])
  })
})

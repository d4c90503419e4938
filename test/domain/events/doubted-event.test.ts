// An event on which alone the receiver fails.
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { unavailable } from '../../../src/domain/errors.js'
import { LAST_NUMBER } from '../../../src/domain/events/number-ranges.js'
import { readBatch } from '../../../src/domain/events/relay-events.js'
import { MAX_PARKED, type RelayRecord } from '../../../src/domain/events/relay-record.js'
import { type Doubt, sendBatch } from '../../../src/domain/events/send-batch.js'
import type { EventLog } from '../../../src/ports/event-log.js'
import type { Delivery, EventPublisher } from '../../../src/ports/event-publisher.js'
import { eventOf, numbered, range, recordOf, succeed } from '../../../src/testing/samples.js'
import { delivered, failed, PASSES, ranges, start } from '../../support/domain/log-reads.js'

describe('sendBatch with a receiver that answers that it failed', () => {
  const responded: Delivery = { _tag: 'Failed', reason: '500', hasResponded: true }

  /** A receiver that answers so to some events; the publisher stops at the first one. */
  const doubtScene = async (count: number, responses: Record<number, Delivery>, first: RelayRecord = start) => {
    const { log, pets } = makeMemoryStore()
    let isLost = false
    const lossy: EventLog = {
      ...log,
      read: (request) => (isLost ? TE.left(unavailable(new Error('away'))) : log.read(request)),
    }
    const loseLog = (): void => {
      isLost = true
    }
    const add = (...ids: readonly number[]) =>
      Promise.all(ids.map((id) => succeed(pets.add(recordOf(eventOf(numbered(id)))))))
    await add(...range(1, count))
    const tried: number[] = []
    const publisher: EventPublisher = {
      publish: (events) => async () => {
        const deliveries: Delivery[] = []
        for (const { pet } of events) {
          tried.push(Number(pet.id))
          const delivery = responses[Number(pet.id)] ?? delivered
          deliveries.push(delivery)
          if (delivery._tag !== 'Delivered') break
        }
        return deliveries
      },
    }
    let [record, doubt] = [first, O.none as O.Option<Doubt>]
    const pass = async () => {
      const batch = await succeed(readBatch({ log })(record, PASSES.batchSize))
      if (O.isNone(batch)) throw new Error('expected a batch')
      const sent = await sendBatch({ log: lossy, publisher })(record, batch.value, PASSES, doubt)()
      ;[record, doubt] = [sent.record, sent.doubt]
      return sent
    }
    return { tried, pass, add, responses, loseLog }
  }

  it('parks the event if the receiver takes the next one, which it tries once, after as many answers as refusals [webhook]', async () => {
    const { tried, pass } = await doubtScene(4, { 2: responded })
    for (const _ of range(1, 2)) expect(await pass()).toMatchObject({ outage: O.some(responded), parked: [] })
    expect(tried).toStrictEqual([1, 2, 2])
    const { record, outage, parked, sent, isWhole } = await pass()
    expect(tried).toStrictEqual([1, 2, 2, 2, 3])
    expect([outage, sent, isWhole]).toStrictEqual([O.none, 1, false])
    expect(parked).toStrictEqual([{ number: 2, reason: '500' }])
    expect(record).toMatchObject({ parked, pending: [[4, LAST_NUMBER]] })
    expect(record).not.toHaveProperty('attempts')
  })

  it('parks nothing if the receiver fails on the next one too, and tries it again only after as many answers', async () => {
    const { tried, pass } = await doubtScene(4, { 1: responded, 2: responded })
    for (const _ of range(1, 6)) expect(await pass()).toMatchObject({ outage: O.some(responded), parked: [], sent: 0 })
    expect(tried).toStrictEqual([1, 1, 1, 2, 1, 1, 1, 2])
  })

  it('does not count what gave no answer, and never tries the next event after it', async () => {
    const { tried, pass, responses } = await doubtScene(2, { 1: responded })
    await pass()
    await pass()
    responses[1] = failed
    for (const _ of range(1, 5)) expect(await pass()).toMatchObject({ parked: [] })
    expect(tried).toStrictEqual(range(1, 7).map(() => 1))
    responses[1] = responded
    expect(await pass()).toMatchObject({ parked: [{ number: 1 }] })
  })

  it('waits for a next event if there is none', async () => {
    const { tried, pass, add, responses } = await doubtScene(1, { 1: responded })
    for (const _ of range(1, 5)) expect(await pass()).toMatchObject({ parked: [] })
    await add(2)
    responses[1] = failed
    expect(await pass()).toMatchObject({ parked: [] })
    responses[1] = responded
    expect(await pass()).toMatchObject({ parked: [{ number: 1 }], record: { pending: [[3, LAST_NUMBER]] } })
    expect(tried.filter((number) => number === 2)).toStrictEqual([2])
  })

  it('finds the next pending event behind sent ones and numbers without an event', async () => {
    const pending = ranges([1, 1], [3, 3], [9, LAST_NUMBER])
    const { tried, pass, add } = await doubtScene(1, { 1: responded }, { ...start, pending })
    await add(5, 6, 10, 11)
    for (const _ of range(1, 2)) await pass()
    const { record } = await pass()
    expect(tried).toStrictEqual([1, 1, 1, 10])
    expect(record.parked).toMatchObject([{ number: 1 }])
    expect(record.pending).toStrictEqual(ranges([3, 3], [9, 9], [11, LAST_NUMBER]))
  })

  it('parks nothing if there can be no next event, or the log cannot be read', async () => {
    const last = await doubtScene(1, { 1: responded }, { ...start, pending: [[1, 1]] })
    const unread = await doubtScene(2, { 1: responded })
    for (const _ of range(1, 2)) {
      await last.pass()
      await unread.pass()
    }
    unread.loseLog()
    expect(await last.pass()).toMatchObject({ parked: [], record: { pending: [[1, 1]] } })
    expect(await unread.pass()).toMatchObject({ parked: [], record: { pending: [[1, LAST_NUMBER]] } })
    expect(unread.tried).toStrictEqual([1, 1, 1])
  })

  it('drops nothing if no more events can be parked', async () => {
    const parked = range(1, MAX_PARKED).map((number) => ({ number, reason: '' }))
    const pending = [[MAX_PARKED + 1, LAST_NUMBER]] as const
    const number = MAX_PARKED + 1
    const { pass, add } = await doubtScene(0, { [number]: responded }, { ...start, parked, pending })
    await add(number, number + 1)
    for (const _ of range(1, 2)) await pass()
    const { record, outage } = await pass()
    expect(record).toMatchObject({ parked, pending })
    expect(outage).toMatchObject(O.some({ reason: expect.stringMatching(/1000 events are parked/) as unknown }))
  })
})

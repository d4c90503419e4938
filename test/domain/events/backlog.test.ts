import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import type { Unavailable } from '../../../src/domain/errors.js'
import { listParked, readBacklog, replayEvents, retryParked, skipEvents } from '../../../src/domain/events/backlog.js'
import { unusedAfter } from '../../../src/domain/events/relay-record.js'
import type { LogPage } from '../../../src/ports/event-log.js'
import type { Store } from '../../../src/ports/store.js'
import { event, fail, range, succeed } from '../../../src/testing/samples.js'
import { losing, outage } from '../../support/domain/failing-ports.js'
import { holding, saveRelay } from '../../support/domain/log-reads.js'

const recordIn = async ({ relay }: Store) => O.toUndefined(await succeed(relay.load))

describe('readBacklog', () => {
  it('says how much is pending, since when, and where the relay is', async () => {
    const store = await holding(10, 20, 30, 40)
    await saveRelay(store, 3, [2], [{ number: 1, reason: 'no' }])
    expect(await succeed(readBacklog(store))).toMatchObject({ size: 2, oldest: O.some(20), parked: 1, position: 3 })
    await saveRelay(store, 4)
    expect(await succeed(readBacklog(store))).toMatchObject({ size: 0, oldest: O.none, parked: 0, position: 4 })
  })
})

describe('listParked', () => {
  it('shows the events, and damaged ones without', async () => {
    const store = await holding(10, 20)
    const [large, damaged] = [
      { number: 1, reason: 'too large' },
      { number: 7, reason: 'its record is damaged' },
    ]
    await saveRelay(store, 2, [], [large, damaged])
    expect(await succeed(listParked(store))).toStrictEqual([
      { ...large, event: O.some({ ...event(1), time: 10 }) },
      { ...damaged, event: O.none },
    ])
  })
})

describe('replayEvents', () => {
  it.each<[string, number, number, number]>([
    ['the first event of the time, although the clock was set back later', 30, 4, 2],
    ['the first event of all', 5, 6, 0],
    ['none, if there is none of that time or later', 90, 0, 6],
  ])('sends everything again from %s', async (_, from, count, position) => {
    const store = await holding(10, 20, 30, 40, 20, 50)
    await saveRelay(store, 6)
    expect(await succeed(replayEvents(store)(from))).toBe(count)
    expect(await recordIn(store)).toMatchObject({ position })
  })

  it('scans as many pages as there are [cmd-events]', async () => {
    const store = await holding(...range(1, 1_203))
    await saveRelay(store, 1_203)
    expect(await succeed(replayEvents(store)(1_100))).toBe(104)
    expect(await recordIn(store)).toMatchObject({ position: 1_099 })
    // one record of each page is unreadable
    const damage = ({ events: [, ...events], ...page }: LogPage): LogPage => ({ ...page, events, damaged: [0] })
    const log: Store['log'] = { ...store.log, read: (request) => TE.map(damage)(store.log.read(request)) }
    expect(await succeed(replayEvents({ ...store, log })(1))).toBe(1_203 - 3)
    const short: Store['log']['read'] = ({ after, limit }) => store.log.read({ after, limit: Math.min(limit, 100) })
    expect(await succeed(replayEvents({ ...store, log: { ...store.log, read: short } })(1_100))).toBe(104)
  })

  it('begins the record of a store without a relay before the events that it replays', async () => {
    const store = await holding(10, 20, 30)
    expect(await succeed(replayEvents(store)(20))).toBe(2)
    expect(await recordIn(store)).toMatchObject({ position: 1, version: 1 })
  })

  it('begins it at the end if there is nothing to replay', async () => {
    const store = await holding(10, 20, 30)
    expect(await succeed(replayEvents(store)(40))).toBe(0)
    expect(await recordIn(store)).toMatchObject({ position: 3, version: 1 })
  })

  it('is not undone by a relay that saves at the same time, and undoes nothing', async () => {
    const store = await holding(10, 20, 30)
    await saveRelay(store, 1)
    let isFirst = true
    const relay = {
      ...store.relay,
      save: (record: Parameters<Store['relay']['save']>[0]) => async () => {
        if (isFirst) {
          isFirst = false
          await saveRelay(store, 3, [], [{ number: 1, reason: 'no' }])
        }
        return store.relay.save(record)()
      },
    }
    expect(await succeed(replayEvents({ ...store, relay })(20))).toBe(2)
    expect(await recordIn(store)).toMatchObject({ position: 1, parked: [{ number: 1, reason: 'no' }] })
  })

  it('gives up if every save comes too late', async () => {
    const store = await holding(10)
    const relay = { ...store.relay, save: () => TE.right(false) }
    expect(await fail(replayEvents({ ...store, relay })(0))).toMatchObject({ _tag: 'Unavailable' })
  })
})

describe('skipEvents', () => {
  it('moves the position to the end, and keeps what is parked [cmd-events]', async () => {
    const store = await holding(10, 20, 30)
    const parked = [{ number: 2, reason: 'no' }]
    await saveRelay(store, 2, [1], parked)
    await succeed(skipEvents(store))
    expect(await recordIn(store)).toMatchObject({ position: 3, retry: [], parked })
  })

  it('begins the record of a store without a relay, after the numbers that are final', async () => {
    const store = await holding(10, 20, 30)
    await succeed(skipEvents(store))
    expect(await recordIn(store)).toStrictEqual({ ...unusedAfter(3), version: 1 })
    const other = await holding(10, 20, 30)
    const read: Store['log']['read'] = () => TE.right({ events: [], damaged: [], upTo: 2 })
    await succeed(skipEvents({ ...other, log: { ...other.log, read } }))
    expect(await recordIn(other)).toMatchObject({ position: 2 })
  })
})

describe('retryParked', () => {
  it('does nothing on a store without a relay, which has nothing parked', async () => {
    const store = await holding(10)
    expect(await succeed(listParked(store))).toStrictEqual([])
    expect(await succeed(retryParked(store))).toBe(0)
    expect(await succeed(store.relay.load)).toStrictEqual(O.none)
  })

  it('moves the parked events to those that are sent next, once', async () => {
    const store = await holding(10, 20, 30)
    await saveRelay(store, 3, [1], [{ number: 2, reason: 'no' }])
    expect([await succeed(retryParked(store)), await succeed(retryParked(store))]).toStrictEqual([1, 0])
    expect(await recordIn(store)).toMatchObject({ retry: [1, 2], parked: [] })
  })
})

describe('an outage', () => {
  const replay = (store: Pick<Store, 'log' | 'relay'>): TE.TaskEither<Unavailable, unknown> => replayEvents(store)(0)

  it.each([
    ...(['load', 'head', 'read'] as const).map((part) => ['readBacklog', readBacklog, part] as const),
    ...(['load', 'read'] as const).map((part) => ['listParked', listParked, part] as const),
    ...(['read', 'load', 'save'] as const).map((part) => ['replayEvents', replay, part] as const),
    ...(['head', 'read', 'load', 'save'] as const).map((part) => ['skipEvents', skipEvents, part] as const),
    ['retryParked', retryParked, 'load'] as const,
  ])('is reported by %s: %s', async (_, use, part) => {
    const store = await holding(10, 20)
    await saveRelay(store, 1, [], [{ number: 1, reason: 'no' }])
    expect(await fail<unknown>(use(losing(store, part)))).toBe(outage)
  })
})

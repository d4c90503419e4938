import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { listParked, replayEvents, retryParked } from '../../../src/domain/events/backlog.js'
import { LAST_NUMBER } from '../../../src/domain/events/number-ranges.js'
import type { LogPage } from '../../../src/ports/event-log.js'
import type { Store } from '../../../src/ports/store.js'
import { fail, range, succeed } from '../../../src/testing/samples.js'
import { losing, outage } from '../../support/domain/failing-ports.js'
import { holding, ranges, saveRelay } from '../../support/domain/log-reads.js'

const pendingIn = async ({ relay }: Store) => O.toUndefined(await succeed(relay.load))?.pending

describe('replayEvents', () => {
  it.each<readonly [string, number, number | undefined, number, readonly (readonly [number, number])[]]>([
    ['from a time until before another', 20, 40, 3, ranges([2, 3], [5, 5], [7, LAST_NUMBER])],
    ['without an end', 30, undefined, 3, ranges([3, 4], [6, LAST_NUMBER])],
    ['that do not exist', 90, undefined, 0, [[7, LAST_NUMBER]]],
  ])('sends the events %s again', async (_, from, to, count, pending) => {
    const store = await holding(10, 20, 30, 40, 20, 50)
    await saveRelay(store, 6)
    expect(await succeed(replayEvents(store)({ from, to: O.fromNullable(to) }))).toBe(count)
    expect(await pendingIn(store)).toStrictEqual(pending)
  })

  it('scans as many pages as there are, and keeps the record small [cmd-events]', async () => {
    const store = await holding(...range(1, 1_203).map((at) => (at % 2 === 0 ? 7 : 9)))
    await saveRelay(store, 1_203)
    expect(await succeed(replayEvents(store)({ from: 9, to: O.none }))).toBe(602)
    expect(await pendingIn(store)).toHaveLength(602)
    expect(await succeed(replayEvents(store)({ from: 7, to: O.none }))).toBe(1_203)
    expect(await pendingIn(store)).toStrictEqual([[1, LAST_NUMBER]])
    // one record of each page cannot be read
    const damage = ({ events: [, ...events], ...page }: LogPage): LogPage => ({ ...page, events, damaged: [0] })
    const log: Store['log'] = { ...store.log, read: (request) => TE.map(damage)(store.log.read(request)) }
    expect(await succeed(replayEvents({ ...store, log })({ from: 7, to: O.none }))).toBe(1_203 - 3)
  })

  it('begins the record of a store without a relay, after the events that it does not replay', async () => {
    const store = await holding(10, 20, 30)
    expect(await succeed(replayEvents(store)({ from: 20, to: O.some(30) }))).toBe(1)
    expect(O.toUndefined(await succeed(store.relay.load))).toStrictEqual({
      pending: ranges([2, 2], [4, LAST_NUMBER]),
      parked: [],
      hasSent: false,
      leaseMs: 0,
      version: 1,
    })
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
          await saveRelay(store, 3)
        }
        return store.relay.save(record)()
      },
    }
    expect(await succeed(replayEvents({ ...store, relay })({ from: 10, to: O.some(11) }))).toBe(1)
    expect(await pendingIn(store)).toStrictEqual(ranges([1, 1], [4, LAST_NUMBER]))
  })

  it('gives up if every save comes too late', async () => {
    const store = await holding(10)
    const relay = { ...store.relay, save: () => TE.right(false) }
    expect(await fail(replayEvents({ ...store, relay })({ from: 0, to: O.none }))).toMatchObject({
      _tag: 'Unavailable',
    })
  })

  it.each(['read', 'load', 'save'] as const)('reports an outage: %s', async (part) => {
    const ports = losing(await holding(10), part)
    expect(await fail(replayEvents(ports)({ from: 0, to: O.none }))).toBe(outage)
  })
})

describe('retryParked', () => {
  it('reports an outage', async () => {
    expect(await fail(retryParked(losing(await holding(10), 'load')))).toBe(outage)
  })

  it('sends parked events again, and none twice', async () => {
    const store = await holding(10, 20, 30)
    await saveRelay(store, 3, [], [{ number: 2, reason: 'too large' }])
    expect(await succeed(retryParked(store))).toBe(1)
    expect(await pendingIn(store)).toStrictEqual(ranges([2, 2], [4, LAST_NUMBER]))
    expect(await succeed(retryParked(store))).toBe(0)
    expect(await succeed(listParked(store))).toStrictEqual([])
  })

  it('does nothing on a store without a relay', async () => {
    const store = await holding(10)
    expect(await succeed(retryParked(store))).toBe(0)
    expect(await succeed(store.relay.load)).toStrictEqual(O.none)
  })
})

import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { listParked, readBacklog } from '../../../src/domain/events/backlog.js'
import { event, fail, succeed } from '../../../src/testing/samples.js'
import { losing, outage } from '../../support/domain/failing-ports.js'
import { holding, saveRelay } from '../../support/domain/log-reads.js'

describe('readBacklog', () => {
  it('is empty on a store without a relay, at the end of its log', async () => {
    expect(await succeed(readBacklog(await holding(10, 20)))).toStrictEqual({
      size: 0,
      oldest: O.none,
      parked: 0,
      position: 2,
      head: 2,
    })
  })

  it('says how much is pending, since when, and where the relay is', async () => {
    const store = await holding(10, 20, 30, 40)
    await saveRelay(store, 3, [2], [{ number: 1, reason: 'no' }])
    expect(await succeed(readBacklog(store))).toMatchObject({ size: 2, oldest: O.some(20), parked: 1, position: 3 })
    await saveRelay(store, 4)
    expect(await succeed(readBacklog(store))).toMatchObject({ size: 0, oldest: O.none, parked: 0, position: 4 })
  })

  it.each(['load', 'head', 'read'] as const)('reports an outage: %s', async (part) => {
    const store = await holding(10)
    await saveRelay(store, 0)
    expect(await fail(readBacklog(losing(store, part)))).toBe(outage)
  })
})

describe('listParked', () => {
  it('shows none on a store without a relay', async () => {
    expect(await succeed(listParked(await holding(10)))).toStrictEqual([])
  })

  it('shows the events, and damaged ones without', async () => {
    const store = await holding(10, 20)
    await saveRelay(
      store,
      2,
      [],
      [
        { number: 1, reason: 'too large' },
        { number: 7, reason: 'its record is damaged' },
      ],
    )
    expect(await succeed(listParked(store))).toStrictEqual([
      { number: 1, event: O.some({ ...event(1), time: 10 }), reason: 'too large' },
      { number: 7, event: O.none, reason: 'its record is damaged' },
    ])
  })

  it.each(['load', 'read'] as const)('reports an outage: %s', async (part) => {
    const store = await holding(10)
    await saveRelay(store, 1, [], [{ number: 1, reason: 'no' }])
    expect(await fail(listParked(losing(store, part)))).toBe(outage)
  })
})

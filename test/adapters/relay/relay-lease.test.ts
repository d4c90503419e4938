// The lease of the relay, and what it does during an outage.
import type * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/adapters/node/system.js'
import { beginRelaying } from '../../../src/adapters/relay/relay-lease.js'
import { unavailable } from '../../../src/domain/errors.js'
import type { Store } from '../../../src/ports/store.js'
import { event, eventOf, numbered, succeed } from '../../../src/testing/samples.js'
import { holding, saveRelay } from '../../support/domain/log-reads.js'
import { delivering, NEVER, relayScene } from '../../support/domain/relay-scene.js'
import { eventually } from '../../support/runner/eventually.js'

it.each([2, 3, 11])('a start sets no position of a log that ends at 3 but one beyond it: %i', async (position) => {
  const store = await holding(1, 2, 3)
  await saveRelay(store, position)
  await succeed(beginRelaying(store))
  expect(await succeed(store.relay.load)).toMatchObject(O.some({ position: Math.min(position, 3) }))
})

const positionOfDead = { position: 0, retry: [], parked: [], hasSent: false }

describe('a relay with another one on the same store', () => {
  it('stands by, and takes over at once when the other one stops [relayed]', async () => {
    const { received, start, add } = await relayScene({ leaseMs: NEVER })
    const one = start()
    await eventually(() => expect(one.isActive()).toBe(true))
    const other = start()
    await add(1)
    await eventually(() => expect(received).toStrictEqual([1]))
    expect([one.isActive(), other.isActive()]).toStrictEqual([true, false])
    await one.stop()
    await eventually(() => expect(other.isActive()).toBe(true))
    await add(2)
    await eventually(() => expect(received).toStrictEqual([1, 2]))
  })

  it('takes over from a dead one when its own lease has passed, however short the lease of the new one', async () => {
    const { store, received, start, add, saved } = await relayScene({ leaseMs: 1 })
    const dead = { ...positionOfDead, holder: 'dead', leaseMs: 200, version: 2 }
    await succeed(store.relay.save(dead))
    await add(1)
    const begin = performance.now()
    start()
    await eventually(() => expect(received).toStrictEqual([1]))
    expect(performance.now() - begin).toBeGreaterThan(190)
    expect(await saved()).not.toMatchObject({ holder: 'dead' })
  })

  it('stands by while the other one saves, whatever the clocks say', async () => {
    const { store, received, start, add } = await relayScene()
    // longer than a busy machine may pause between two saves, and shorter than all of them take
    const alive = { ...positionOfDead, holder: 'alive', leaseMs: 1_000 }
    await succeed(store.relay.save({ ...alive, version: 2 }))
    start(undefined, { clock: { ...systemClock, now: () => 4e12 } })
    await add(1)
    for (let version = 3; version < 15; version += 1) {
      await succeed(store.relay.save({ ...alive, version }))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(received).toStrictEqual([])
    await eventually(() => expect(received).toStrictEqual([1]))
  })

  it('stops sending when it has lost the lease, and forgets what it had not saved', async () => {
    const { received, start, add, steal } = await relayScene({ leaseMs: 60, pollIntervalMs: 5 })
    const one = start()
    await eventually(() => expect(one.isActive()).toBe(true))
    await steal(200)
    await eventually(() => expect(one.isActive()).toBe(false))
    await add(1)
    await eventually(() => expect(received).toStrictEqual([1]))
    expect(one.isActive()).toBe(true)
  })

  it('sends nothing after a suspension during which it has lost the lease', async () => {
    const { received, start, add, steal } = await relayScene({ leaseMs: NEVER, pollIntervalMs: NEVER })
    let suspendedMs = 0
    const monotonicMs = () => systemClock.monotonicMs() + suspendedMs
    const one = start(undefined, { clock: { ...systemClock, monotonicMs } })
    await eventually(() => expect(one.isActive()).toBe(true))
    await steal(10 * NEVER)
    suspendedMs = NEVER
    await add(1)
    one.added(eventOf(numbered(1)))
    await eventually(() => expect(one.isActive()).toBe(false))
    expect(received).toStrictEqual([])
  })

  it('renews its lease while a slow receiver takes its time, and keeps what it acknowledged', async () => {
    const { received, receive, start, add, saved } = await relayScene({ leaseMs: 1_500 })
    await add(1, 2)
    const publisher = delivering(async (events) => {
      const before = Number((await saved())?.version)
      await eventually(async () => expect((await saved())?.version).toBeGreaterThan(before + 4))
      for (const event of events) await receive(event)
    })
    const relay = start(publisher)
    await eventually(() => expect(relay.isActive()).toBe(true))
    const standBy = start(publisher)
    await eventually(async () => expect(await saved()).toMatchObject({ position: 2 }))
    expect([relay.isActive(), standBy.isActive()]).toStrictEqual([true, false])
    expect(received).toStrictEqual([1, 2])
  })
})

describe('an outage of the relay', () => {
  it.each<readonly [string, () => Promise<E.Either<ReturnType<typeof unavailable>, never>>]>([
    ['fails', TE.left(unavailable(new Error('away')))],
    ['rejects', () => Promise.reject(new Error('defect'))],
  ])('survives a log that %s, and reports it once', async (_, away) => {
    const { store, received, start, add, messages } = await relayScene()
    let isDown = true
    let tries = 0
    const log: Store['log'] = {
      ...store.log,
      read: (request) => {
        tries += 1
        return isDown ? away : store.log.read(request)
      },
    }
    start(undefined, { log })
    await add(1)
    await eventually(() => expect(tries).toBeGreaterThan(5))
    expect(messages()).toStrictEqual(['the log of events is unavailable'])
    isDown = false
    await eventually(() => expect(received).toStrictEqual([1]))
    expect(messages()).toStrictEqual(['the log of events is unavailable', 'event delivery has recovered'])
  })

  it('reports the recovery of the store while it stands by, too', async () => {
    const { store, start, messages } = await relayScene({ leaseMs: NEVER })
    const active = start()
    await eventually(() => expect(active.isActive()).toBe(true))
    let isDown = true
    const away = TE.left(unavailable(new Error('away')))
    start(undefined, { relay: { ...store.relay, load: () => (isDown ? away() : store.relay.load()) } })
    await eventually(() => expect(messages()).toStrictEqual(['the log of events is unavailable']))
    isDown = false
    const both = ['the log of events is unavailable', 'event delivery has recovered']
    await eventually(() => expect(messages()).toStrictEqual(both))
  })

  it.each([
    ['as long as the receiver asks', { wait: 300 }],
    ['for the longest back-off if the receiver asks for it', { wait: 'longest' }],
  ] as const)('waits %s, and keeps its lease meanwhile', async (_, asked) => {
    const { received, receive, start, add, saved } = await relayScene({
      leaseMs: 30,
      backOff: { initialMs: 2, maxMs: 300 },
    })
    const triedAt: number[] = []
    const versions: (number | undefined)[] = []
    const relay = start({
      publish: (events) => async () => {
        triedAt.push(performance.now())
        versions.push((await saved())?.version)
        if (triedAt.length === 1) return [{ _tag: 'Failed', reason: 'busy', ...asked }]
        for (const event of events) await receive(event)
        return events.map(() => ({ _tag: 'Delivered' }))
      },
    })
    await add(1, 2)
    relay.added(event(9))
    await eventually(() => expect(received).toStrictEqual([1, 2]))
    const [first = 0, second = 0] = triedAt
    expect(second - first).toBeGreaterThanOrEqual(295)
    expect(versions[1]).toBeGreaterThan(Number(versions[0]))
    expect(relay.isActive()).toBe(true)
  })
})

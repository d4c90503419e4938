import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { nodeCrypto, systemClock } from '../../../src/adapters/node/system.js'
import { makeLease } from '../../../src/adapters/relay/relay-lease.js'
import { unavailable } from '../../../src/domain/errors.js'
import { succeed } from '../../../src/testing/samples.js'
import { saveRelay } from '../../support/domain/log-reads.js'
import { delivering, NEVER, relayScene } from '../../support/domain/relay-scene.js'
import { eventually } from '../../support/runner/eventually.js'

it.each([
  [2, [3, 4]],
  [3, [4]],
  [11, [4]],
])('a relay rewinds a position beyond the log, which ends at 3, and no other: %i', async (position, wanted) => {
  const { store, received, start, add } = relayScene()
  await saveRelay(store, position)
  await add(1, 2, 3)
  const relay = start()
  await eventually(() => expect(relay.isActive()).toBe(true))
  await add(4)
  await eventually(() => expect(received).toStrictEqual(wanted))
})

const positionOfDead = { position: 0, retry: [], parked: [], hasSent: false }

it('a lease ends by the monotonic clock, even if the system clock is set', async () => {
  const store = makeMemoryStore()
  await succeed(store.relay.save({ ...positionOfDead, holder: 'dead', leaseMs: 1_000, version: 1 }))
  const [day, time] = [86_400_000, { now: 0, monotonic: 0 }]
  const clock = { now: () => time.now, monotonicMs: () => time.monotonic }
  const acquire = makeLease({ ...store, clock, crypto: nodeCrypto }, 1_000)
  expect(await succeed(acquire)).toStrictEqual(O.none)
  for (const now of [day, -day]) {
    time.now = now
    time.monotonic += 499
    expect(await succeed(acquire)).toStrictEqual(O.none)
  }
  time.monotonic = 1_000
  expect(await succeed(acquire)).toMatchObject(O.some({ leaseMs: 1_000 }))
})

describe('a relay with another one on the same store', () => {
  it('stands by, and takes over at once when the other one stops [relayed]', async () => {
    const { received, start, add } = relayScene({ leaseMs: NEVER })
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
    const { store, received, start, add, saved } = relayScene({ leaseMs: 1 })
    const dead = { ...positionOfDead, holder: 'dead', leaseMs: 200, version: 1 }
    await succeed(store.relay.save(dead))
    await add(1)
    const begin = performance.now()
    start()
    await eventually(() => expect(received).toStrictEqual([1]))
    expect(performance.now() - begin).toBeGreaterThan(190)
    expect(await saved()).not.toMatchObject({ holder: 'dead' })
  })

  it('stops sending when it has lost the lease, and forgets what it had not saved', async () => {
    const { received, start, add, steal } = relayScene({ leaseMs: 60, pollIntervalMs: 5 })
    const one = start()
    await eventually(() => expect(one.isActive()).toBe(true))
    await steal(200)
    await eventually(() => expect(one.isActive()).toBe(false))
    await add(1)
    await eventually(() => expect(received).toStrictEqual([1]))
    expect(one.isActive()).toBe(true)
  })

  it('sends nothing after a suspension during which it has lost the lease', async () => {
    const { received, start, add, steal } = relayScene({ leaseMs: NEVER, pollIntervalMs: NEVER })
    let suspendedMs = 0
    const monotonicMs = () => systemClock.monotonicMs() + suspendedMs
    const one = start(undefined, { clock: { ...systemClock, monotonicMs } })
    await eventually(() => expect(one.isActive()).toBe(true))
    await steal(10 * NEVER)
    suspendedMs = NEVER
    await add(1)
    one.added()
    await eventually(() => expect(one.isActive()).toBe(false))
    expect(received).toStrictEqual([])
  })

  it('renews its lease while a slow receiver takes its time, and keeps what it acknowledged', async () => {
    const { received, receive, start, add, saved } = relayScene({ leaseMs: 1_500 })
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
  it('reports the recovery of the store while it stands by, too', async () => {
    const { store, start, messages } = relayScene({ leaseMs: NEVER })
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
})

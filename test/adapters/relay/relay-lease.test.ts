import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeInProcessPublisher } from '../../../src/adapters/memory/event-publisher.js'
import { nodeCrypto, systemClock } from '../../../src/adapters/node/system.js'
import { startRelay } from '../../../src/adapters/relay/relay-loop.js'
import type { EventPublisher } from '../../../src/ports/event-publisher.js'
import { succeed } from '../../../src/testing/samples.js'
import { NEVER, RELAY, relayScene } from '../../support/domain/relay-scene.js'
import { eventually } from '../../support/runner/eventually.js'

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
    const { store, received, add } = await relayScene()
    await succeed(store.relay.save({ ...positionOfDead, holder: 'alive', leaseMs: 200, version: 2 }))
    const wrong = { now: () => 4e12, monotonicMs: systemClock.monotonicMs }
    const relay = startRelay(
      {
        ...store,
        publisher: makeInProcessPublisher([({ pet }) => void received.push(Number(pet.id))]),
        clock: wrong,
        crypto: nodeCrypto,
      },
      RELAY,
      () => {},
    )
    onTestFinished(async () => relay.stop())
    await add(1)
    for (let version = 3; version < 13; version += 1) {
      await succeed(store.relay.save({ ...positionOfDead, holder: 'alive', leaseMs: 200, version }))
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    expect(received).toStrictEqual([])
    await eventually(() => expect(received).toStrictEqual([1]))
  })

  it('stops sending when it has lost the lease, and forgets what it had not saved', async () => {
    const { store, received, start, add } = await relayScene({ leaseMs: 60, pollIntervalMs: 5 })
    const one = start()
    await eventually(() => expect(one.isActive()).toBe(true))
    const stolen = O.toUndefined(await succeed(store.relay.load))
    if (stolen === undefined) throw new Error('expected a record')
    await succeed(store.relay.save({ ...stolen, holder: 'thief', leaseMs: 200, version: stolen.version + 1 }))
    await eventually(() => expect(one.isActive()).toBe(false))
    await add(1)
    await eventually(() => expect(received).toStrictEqual([1]))
    expect(one.isActive()).toBe(true)
  })

  it('renews its lease while a slow receiver takes its time, and keeps what it acknowledged', async () => {
    const { received, receive, start, add, saved } = await relayScene({ leaseMs: 1_500 })
    await add(1, 2)
    const publisher: EventPublisher = {
      publish: (events) => async () => {
        const before = Number((await saved())?.version)
        await eventually(async () => expect((await saved())?.version).toBeGreaterThan(before + 4))
        for (const event of events) await receive(event)
        return events.map(() => ({ _tag: 'Delivered' }))
      },
    }
    const relay = start(publisher)
    await eventually(() => expect(relay.isActive()).toBe(true))
    const standBy = start(publisher)
    await eventually(async () => expect(await saved()).toMatchObject({ position: 2 }))
    expect([relay.isActive(), standBy.isActive()]).toStrictEqual([true, false])
    expect(received).toStrictEqual([1, 2])
  })
})

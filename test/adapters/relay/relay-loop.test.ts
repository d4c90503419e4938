import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { replayEvents } from '../../../src/domain/events/backlog.js'
import { onAdded } from '../../../src/domain/pets/add-pet.js'
import type { Delivery, EventPublisher } from '../../../src/ports/event-publisher.js'
import type { Store } from '../../../src/ports/store.js'
import { eventOf, numbered, range, recordOf, succeed } from '../../../src/testing/samples.js'
import { delivered, failed, saveRelay } from '../../support/domain/log-reads.js'
import { delivering, NEVER, relayScene } from '../../support/domain/relay-scene.js'
import { eventually } from '../../support/runner/eventually.js'

describe('startRelay', () => {
  it('begins with the first event on a store without a relay [relayed]', async () => {
    const { received, start, add, saved } = relayScene()
    await add(1, 2)
    const relay = start()
    await eventually(() => expect(relay.isActive()).toBe(true))
    await add(3)
    relay.added()
    await eventually(() => expect(received).toStrictEqual([1, 2, 3]))
    await eventually(async () => expect(await saved()).toMatchObject({ position: 3, hasSent: true }))
  })

  it.each(['load', 'read'])('sends at once what this process adds while it waits for a %s', async (wait) => {
    const { store, received, start, add } = relayScene({ pollIntervalMs: NEVER, leaseMs: NEVER })
    let isDue = true
    const addDuring = async (call: string) => {
      if (!isDue || call !== wait) return
      isDue = false
      await add(1)
      relay.added()
    }
    const load = async () => {
      await addDuring('load')
      return store.relay.load()
    }
    const read: Store['log']['read'] = (request) => async () => {
      const page = await store.log.read(request)()
      await addDuring('read')
      return page
    }
    const relay = start(undefined, { relay: { ...store.relay, load }, log: { ...store.log, read } })
    await eventually(() => expect(received).toStrictEqual([1]))
  })

  it('misses no event that is added while a batch is on its way, and keeps the order', async () => {
    const { store, received, start } = relayScene({ pollIntervalMs: NEVER })
    const pets = onAdded(store.pets, start())
    const ids = range(1, 300)
    for (const id of ids) {
      await succeed(pets.add(recordOf(eventOf(numbered(id)))))
      if (id % 7 === 0) await new Promise(setImmediate)
    }
    await eventually(() => expect(received).toStrictEqual(ids))
  })

  it('reports each parked event, and sends the others', async () => {
    const { start, add, notices, received, saved } = relayScene()
    const publisher: EventPublisher = {
      publish: (events) => async () =>
        events.map(({ pet }) => {
          if (pet.id === 1n) return { _tag: 'Poisoned', reason: 'too large' }
          received.push(Number(pet.id))
          return { _tag: 'Delivered' }
        }),
    }
    await add(1, 2, 3)
    start(publisher)
    const details = { subject: '1', reason: 'too large' }
    await eventually(() => expect(notices).toStrictEqual([{ level: 'error', message: 'an event was parked', details }]))
    // there is only one position, so later deliveries are repeated
    await eventually(() => expect(received).toStrictEqual([2, 3, 2, 3]))
    await eventually(async () => expect(await saved()).toMatchObject({ parked: [{ number: 1, reason: 'too large' }] }))
  })

  it.each<[string, EventPublisher['publish'], string]>([
    ['throws', () => expect.fail('a defect'), 'AssertionError: a defect'],
    ['rejects', () => () => Promise.reject(new Error('a defect')), 'Error: a defect'],
    ['reports no delivery', () => async () => [], 'the publisher reported no delivery'],
    ['reports what is none', () => async () => [{ _tag: 'delivered' } as never], 'the publisher reported no delivery'],
  ])('tries again after a publisher that %s, which counts as an outage', async (_, defect, reason) => {
    const { start, add, received, notices } = relayScene()
    const working = delivering(async (events) => void received.push(...events.map(({ pet }) => Number(pet.id))))
    await add(1)
    start({ publish: vi.fn(working.publish).mockImplementationOnce(defect) })
    await eventually(() => expect(received).toStrictEqual([1]))
    expect(notices[0]).toMatchObject({ level: 'warn', details: { reason } })
  })

  it.each<readonly [string, Delivery, readonly number[]]>([
    ['was not delivered', failed, [1, 2, 3, 4]],
    ['got an unknown delivery', { _tag: 'Poisoned' } as never, [1, 1, 2, 3, 4]],
  ])('continues with the first event that %s, whatever it has read ahead', async (_, first, wanted) => {
    const { start, add, received, saved } = relayScene({ batchSize: 2, attemptsBeforeParking: 1 })
    await add(1, 2, 3, 4)
    const answers = [first]
    start({
      publish: (events) => async () =>
        events.map(({ pet }) => {
          const answer = (pet.id === 2n && answers.pop()) || delivered
          if (answer === delivered) received.push(Number(pet.id))
          return answer
        }),
    })
    await eventually(async () => expect(await saved()).toMatchObject({ position: 4 }))
    expect(received).toStrictEqual(wanted)
  })

  it('sends each event that is to be sent again once, before all others', async () => {
    const { store, start, add, received, saved } = relayScene()
    await add(1, 2, 3)
    await saveRelay(store, 2, [1, 2])
    start()
    await eventually(async () => expect(await saved()).toMatchObject({ position: 3, retry: [] }))
    expect(received).toStrictEqual([1, 2, 3])
  })

  it('sends the rest of a batch, saves its position and gives up the lease before it stops', async () => {
    const { store, start, add, saved } = relayScene()
    await add(1)
    let release = (): void => {}
    const isPublishing = vi.fn(
      () =>
        new Promise<void>((resolve) => {
          release = resolve
        }),
    )
    // a slow store
    const save: Store['relay']['save'] = (record) => async () => {
      await pause(20)
      return store.relay.save(record)()
    }
    const relay = start(delivering(isPublishing), { relay: { ...store.relay, save } })
    await eventually(() => expect(isPublishing).toHaveBeenCalled())
    const stopped = relay.stop()
    await add(2)
    relay.added()
    release()
    await stopped
    expect(await saved()).toMatchObject({ position: 1 })
    expect(await saved()).not.toHaveProperty('holder')
  })

  it('continues from a record that a command has changed, and undoes nothing', async () => {
    const { store, received, start, add } = relayScene({ leaseMs: 300 })
    await add(1, 2, 3)
    const relay = start()
    await eventually(() => expect(received).toStrictEqual([1, 2, 3]))
    expect(await succeed(replayEvents(store)(0))).toBe(3)
    await eventually(() => expect(received).toStrictEqual([1, 2, 3, 1, 2, 3]))
    expect(relay.isActive()).toBe(true)
  })
})

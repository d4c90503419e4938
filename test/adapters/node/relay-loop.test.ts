import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeInProcessPublisher, type Subscriber } from '../../../src/adapters/memory/event-publisher.js'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { systemClock } from '../../../src/adapters/node/clock.js'
import { nodeCrypto } from '../../../src/adapters/node/crypto.js'
import { DEFAULT_RELAY, startRelay, wakingAfterAdd } from '../../../src/adapters/node/relay-loop.js'
import { unavailable } from '../../../src/domain/errors.js'
import type { EventPublisher } from '../../../src/ports/event-publisher.js'
import type { Notice } from '../../../src/ports/notice.js'
import { eventOf, numbered, range, recordOf } from '../../../src/testing/contracts/pet-samples.js'
import { succeed } from '../../../src/testing/outcome.js'
import { eventually } from '../../support/runner/eventually.js'

const settings = { ...DEFAULT_RELAY, backOff: { initialMs: 2, maxMs: 20 }, batchSize: 5, gatherMs: 1 }
const never = 3_600_000

describe('startRelay', () => {
  const scene = (changes: Partial<typeof settings> = {}) => {
    const store = makeMemoryStore({ isRelayed: true })
    const notices: Notice[] = []
    const received: number[] = []
    const receive: Subscriber = ({ pet }) => {
      received.push(Number(pet.id))
    }
    const start = (publisher = makeInProcessPublisher([receive]), outbox = store.outbox) => {
      const ports = { outbox, publisher, clock: systemClock, crypto: nodeCrypto }
      const relay = startRelay(ports, { ...settings, ...changes }, (notice) => notices.push(notice))
      onTestFinished(async () => {
        await relay.stop()
      })
      return relay
    }
    const add = async (...ids: readonly number[]) => {
      for (const id of ids) await succeed(store.pets.add(recordOf(eventOf(numbered(id)))))
    }
    const messages = () => notices.map(({ message }) => message)
    return { store, received, receive, start, add, notices, messages }
  }

  it('relays the backlog at its start, in order, in several batches', async () => {
    const { received, start, add } = scene({ pollIntervalMs: never, maxBatchesInFlight: 1 })
    const ids = range(1, 23)
    await add(...ids)
    start()
    await eventually(() => expect(received).toStrictEqual(ids))
  })

  it('wakes up after an add through the decorated repository', async () => {
    const { store, received, start } = scene({ pollIntervalMs: never })
    const relay = start()
    const pets = wakingAfterAdd(store.pets, relay.wake)
    for (const id of [1, 2, 3]) {
      expect(await succeed(pets.add(recordOf(eventOf(numbered(id)))))).toStrictEqual({ _tag: 'Added' })
      await eventually(() => expect(received).toHaveLength(id))
    }
  })

  it('misses no event that is added while passes are in flight', async () => {
    const { store, received, start } = scene({ pollIntervalMs: never })
    const pets = wakingAfterAdd(store.pets, start().wake)
    const ids = range(1, 300)
    for (const id of ids) {
      await succeed(pets.add(recordOf(eventOf(numbered(id)))))
      if (id % 7 === 0) await new Promise(setImmediate)
    }
    await eventually(() => expect([...received].sort((one, other) => one - other)).toStrictEqual(ids))
  })

  it('finds the events of other instances by polling', async () => {
    const { received, start, add } = scene({ pollIntervalMs: 5 })
    start()
    await add(1)
    await eventually(() => expect(received).toStrictEqual([1]))
  })

  it('keeps several batches in flight, up to the maximum', async () => {
    const { start, add } = scene({ maxBatchesInFlight: 3 })
    await add(...range(1, 50))
    let inFlight = 0
    let most = 0
    let done = 0
    const publisher: EventPublisher = {
      publish: (events) => async () => {
        inFlight += 1
        most = Math.max(most, inFlight)
        await new Promise((resolve) => setTimeout(resolve, 5))
        inFlight -= 1
        done += events.length
        return events.map(() => ({ _tag: 'Delivered' }))
      },
    }
    start(publisher)
    await eventually(() => expect(done).toBe(50))
    expect(most).toBe(3)
  })

  it('keeps retrying while events cannot be delivered, and reports the failure and the recovery once each', async () => {
    const { received, receive, start, add, messages } = scene({ pollIntervalMs: 1 })
    let isDown = true
    let tries = 0
    const relay = start(
      makeInProcessPublisher([
        (one) => {
          tries += 1
          if (isDown) throw new Error('down')
          return receive(one)
        },
      ]),
    )
    await add(1, 2)
    relay.wake()
    await eventually(() => expect(tries).toBeGreaterThan(8))
    relay.wake()
    expect(messages()).toStrictEqual(['events cannot be delivered'])
    isDown = false
    await eventually(() => expect([...received].sort()).toStrictEqual([1, 2]))
    await eventually(() =>
      expect(messages()).toStrictEqual(['events cannot be delivered', 'event delivery has recovered']),
    )
  })

  it.each([
    ['fails', () => TE.left(unavailable(new Error('away')))],
    ['rejects', () => () => Promise.reject(new Error('defect'))],
  ])('survives an outbox that %s, and reports it once', async (_, claim) => {
    const { store, received, start, add, messages } = scene({ pollIntervalMs: 1 })
    let isDown = true
    let tries = 0
    start(undefined, {
      ...store.outbox,
      claim: (request) => {
        tries += 1
        return isDown ? claim() : store.outbox.claim(request)
      },
    })
    await add(1)
    await eventually(() => expect(tries).toBeGreaterThan(5))
    expect(messages()).toStrictEqual(['the outbox is unavailable'])
    isDown = false
    await eventually(() => expect(received).toStrictEqual([1]))
    expect(messages()).toStrictEqual(['the outbox is unavailable', 'event delivery has recovered'])
  })

  it('reports each parked event, and relays the others', async () => {
    const { start, add, notices, received } = scene({ pollIntervalMs: 1 })
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
    const details = { event: 'PetCreated', eventId: 'event-1', subject: '1', reason: 'too large' }
    await eventually(() => expect(notices).toStrictEqual([{ level: 'error', message: 'an event was parked', details }]))
    expect(received).toStrictEqual([2, 3])
  })

  it('settles the batches in flight before it stops, and claims no more', async () => {
    const { store, start, add } = scene()
    await add(1)
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let isPublishing = false
    const relay = start({
      publish: (events) => async () => {
        isPublishing = true
        await held
        return events.map(() => ({ _tag: 'Delivered' }))
      },
    })
    await eventually(() => expect(isPublishing).toBe(true))
    const stopped = relay.stop()
    await add(2)
    relay.wake()
    release()
    await stopped
    relay.wake()
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(await succeed(store.outbox.backlog)).toMatchObject({ size: 1, oldest: O.some(0) })
  })
})

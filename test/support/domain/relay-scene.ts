import * as O from 'fp-ts/lib/Option.js'
import { onTestFinished } from 'vitest'
import { makeInProcessPublisher, type Subscriber } from '../../../src/adapters/memory/event-publisher.js'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { nodeCrypto, systemClock } from '../../../src/adapters/node/system.js'
import { DEFAULT_RELAY, startRelay } from '../../../src/adapters/relay/relay-loop.js'
import type { DomainEvent } from '../../../src/domain/events/domain-event.js'
import type { EventPublisher } from '../../../src/ports/event-publisher.js'
import type { Ports } from '../../../src/ports/index.js'
import type { Notice } from '../../../src/ports/notice.js'
import { eventOf, numbered, recordOf, succeed } from '../../../src/testing/samples.js'

const RELAY = {
  ...DEFAULT_RELAY,
  backOff: { initialMs: 2, maxMs: 20 },
  batchSize: 5,
  saveIntervalMs: 1,
  pollIntervalMs: 5,
}
export const NEVER = 3_600_000

/** Delivers all events once `receiveAll` resolves. */
export const delivering = (receiveAll: (events: readonly DomainEvent[]) => Promise<void>): EventPublisher => ({
  publish: (events) => async () => {
    await receiveAll(events)
    return events.map(() => ({ _tag: 'Delivered' }))
  },
})

/** The first relay of a store. */
export const relayScene = (changes: Partial<typeof RELAY> = {}) => {
  const store = makeMemoryStore()
  const notices: Notice[] = []
  const received: number[] = []
  const receive: Subscriber = ({ pet }) => {
    received.push(Number(pet.id))
  }
  const start = (
    publisher = makeInProcessPublisher([receive]),
    parts: Partial<Pick<Ports, 'log' | 'relay' | 'clock'>> = {},
    more: Partial<typeof RELAY> = {},
  ) => {
    const ports = { log: store.log, relay: store.relay, clock: systemClock, ...parts, publisher, crypto: nodeCrypto }
    const relay = startRelay(ports, { ...RELAY, ...changes, ...more }, (notice) => notices.push(notice))
    onTestFinished(async () => {
      await relay.stop()
    })
    return relay
  }
  const add = async (...ids: readonly number[]) => {
    for (const id of ids) await succeed(store.pets.add(recordOf(eventOf(numbered(id)))))
  }
  const messages = () => notices.map(({ message }) => message)
  const saved = async () => O.toUndefined(await succeed(store.relay.load))
  /** Takes the record over, as another relay does when the holder falls silent. */
  const steal = async (leaseMs: number) => {
    const stolen = await saved()
    if (stolen === undefined) throw new Error('expected a record')
    await succeed(store.relay.save({ ...stolen, holder: 'thief', leaseMs, version: stolen.version + 1 }))
  }
  return { store, received, receive, start, add, notices, messages, saved, steal }
}

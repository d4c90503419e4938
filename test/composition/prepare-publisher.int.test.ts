import { expect, it, onTestFinished } from 'vitest'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { nodeCrypto, systemClock } from '../../src/adapters/node/system.js'
import { jsonLog } from '../../src/composition/log.js'
import { preparePublisher } from '../../src/composition/prepare-publisher.js'
import { startRelaying } from '../../src/composition/start-relaying.js'
import { recordOf, succeed } from '../../src/testing/samples.js'
import { describeWith } from '../support/containers/describe-with.js'
import { storedMessages } from '../support/nats/nats-broker.js'
import { makeEvent } from '../support/nats/nats-publisher.js'
import { eventually } from '../support/runner/eventually.js'

describeWith('nats', 'preparePublisher', (url) => {
  it('publishes with the prefix of EVENTS_TYPE_PREFIX', async () => {
    const lines: string[] = []
    const store = makeMemoryStore()
    const makePublisher = await preparePublisher({
      events: { _tag: 'Nats', servers: [new URL(url).host], isTls: false },
      eventsTypePrefix: 'test.prefix-of-config',
    })
    if (makePublisher === undefined) throw new Error('expected a publisher')
    const publisher = makePublisher(
      'http://pets.test/v1',
      store,
      jsonLog('debug', { write: (line) => lines.push(line) }),
    )
    const ports = { log: store.log, relay: store.relay, publisher, clock: systemClock, crypto: nodeCrypto }
    const relay = startRelaying(ports, undefined, () => {})
    await eventually(() => expect(relay.levels().isActive).toBe(true))
    await succeed(store.pets.add(recordOf(makeEvent(1))))
    relay.wake()
    onTestFinished(async () => {
      await relay.stop(1_000)
    })
    const messages = await eventually(
      async () => {
        const stored = await storedMessages(url, 'test.prefix-of-config.pet.created.v1')
        expect(stored).toHaveLength(1)
        return stored
      },
      { interval: 100 },
    )
    expect(JSON.parse(messages[0]?.text ?? '')).toMatchObject({ type: 'test.prefix-of-config.pet.created.v1' })
    const delivered = { level: 'debug', msg: 'event', delivery: { _tag: 'Delivered' } }
    await eventually(() =>
      expect(lines.map((line): unknown => JSON.parse(line))).toContainEqual(expect.objectContaining(delivered)),
    )
  })
})

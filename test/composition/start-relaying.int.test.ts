import { expect, it, onTestFinished } from 'vitest'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { preparePublisher } from '../../src/composition/configured-adapters.js'
import { loadJsonLog } from '../../src/composition/json-log.js'
import { describeWith } from '../support/containers/describe-with.js'
import { storedMessages } from '../support/nats/nats-broker.js'
import { delivered, makeEvent } from '../support/nats/nats-publisher.js'
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
      await loadJsonLog('debug', { write: (line) => lines.push(line) }),
    )
    onTestFinished(async () => publisher.close?.())
    const events = [makeEvent(1), makeEvent(2)]
    await eventually(async () => expect(await publisher.publish(events)()).toStrictEqual([delivered, delivered]))
    const messages = await storedMessages(url, 'test.prefix-of-config.pet.created.v1')
    expect(JSON.parse(messages[0]?.text ?? '')).toMatchObject({ type: 'test.prefix-of-config.pet.created.v1' })
    const logged = lines
      .map((line): unknown => JSON.parse(line))
      .filter((line) => JSON.stringify(line).includes('"Delivered"'))
    expect(logged).toMatchObject(
      events.map(({ eventId }) => ({ level: 'debug', msg: 'event', eventId, delivery: delivered })),
    )
  })
})

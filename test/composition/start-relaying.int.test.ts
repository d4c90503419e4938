import { expect, it, onTestFinished } from 'vitest'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { preparePublisher } from '../../src/composition/configured-adapters.js'
import { silentLog } from '../../src/composition/service-log.js'
import { describeWith } from '../support/containers/describe-with.js'
import { storedMessages } from '../support/nats/nats-broker.js'
import { delivered, makeEvent } from '../support/nats/nats-publisher.js'
import { eventually } from '../support/runner/eventually.js'

describeWith('nats', 'preparePublisher', (url) => {
  it('publishes with the prefix of EVENTS_TYPE_PREFIX', async () => {
    const store = makeMemoryStore()
    const makePublisher = await preparePublisher({
      events: { _tag: 'Nats', servers: [new URL(url).host], isTls: false },
      eventsTypePrefix: 'test.prefix-of-config',
    })
    if (makePublisher === undefined) throw new Error('expected a publisher')
    const publisher = makePublisher('http://pets.test/v1', store, silentLog)
    onTestFinished(async () => publisher.close?.())
    const events = [makeEvent(1), makeEvent(2)]
    await eventually(async () => expect(await publisher.publish(events)()).toStrictEqual([delivered, delivered]))
    const messages = await storedMessages(url, 'test.prefix-of-config.pet.created.v1')
    expect(JSON.parse(messages[0]?.text ?? '')).toMatchObject({ type: 'test.prefix-of-config.pet.created.v1' })
  })
})

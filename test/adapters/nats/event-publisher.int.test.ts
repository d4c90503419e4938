import { expect, it } from 'vitest'
import { cloudEventJson } from '../../../src/domain/events/cloud-event.js'
import { eventPublisherContract } from '../../../src/testing/contracts/relay.contract.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { components, eventFaults } from '../../support/documents/asyncapi-document.js'
import { exactJson } from '../../support/documents/exact-json.js'
import { deleteStreams, managed, storedMessages } from '../../support/nats/nats-broker.js'
import { delivered, eventFrom, failed, makeEvent, openPublisher, poisoned } from '../../support/nats/nats-publisher.js'
import { openConnection } from '../../support/nats/test-broker.js'
import { openProxy } from '../../support/network/tcp-proxy.js'

const NOT_JETSTREAM = 'the reply is not an acknowledgement of JetStream'

describeWith('nats', 'makeNatsPublisher', (url) => {
  eventPublisherContract('NATS JetStream', async () => {
    const proxy = await openProxy(Number(new URL(url).port))
    const { publisher, subject, connected } = openPublisher(`nats://127.0.0.1:${proxy.port}`)
    await connected()
    return {
      publisher,
      interrupt: async () => proxy.cut(),
      restore: async () => proxy.heal(),
      received: async () => (await storedMessages(url, subject)).map(({ text }) => eventFrom(text)),
      close: async () => {},
    }
  })

  it('publishes a CloudEvent in structured mode, with an id that lets JetStream drop duplicates', async () => {
    const { publish, subject, settings, connected } = openPublisher(url)
    await connected()
    const one = makeEvent(1)
    expect(await publish(one)).toStrictEqual([delivered])
    expect(await publish(one)).toStrictEqual([delivered])
    const messages = await storedMessages(url, subject)
    expect(messages).toHaveLength(1)
    expect(messages[0]?.text).toBe(cloudEventJson(one, settings))
    expect(messages[0]?.subject).toBe(subject)
    expect(messages[0]?.header('Nats-Msg-Id')).toBe(one.eventId)
    expect(messages[0]?.header('content-type')).toBe('application/cloudevents+json')
    const { headers, payload } = components.messages.PetCreated
    const names = Object.keys(headers.properties)
    const sent = Object.fromEntries(names.map((name) => [name, messages[0]?.header(name)]))
    expect([...eventFaults(headers, sent), ...eventFaults(payload, exactJson(messages[0]?.text ?? ''))]).toStrictEqual(
      [],
    )
  })

  it.each([
    ['{}', NOT_JETSTREAM],
    ['{"stream":"","seq":1}', 'invalid ack response'],
    ['thanks', 'JSON'],
  ])('does not accept the reply %s of another subscriber as an acknowledgement', async (reply, reason) => {
    const { publish, subject, connected } = openPublisher(url)
    await connected()
    await deleteStreams(url, subject)
    const subscriber = await openConnection(url)
    subscriber.subscribe(subject, { callback: (_, message) => void message.respond(reply) })
    await subscriber.flush()
    expect(await publish(makeEvent(1))).toStrictEqual([
      { _tag: 'Failed', reason: expect.stringContaining(reason) as unknown },
    ])
  })

  it('fails events that a full stream refuses, and delivers them once there is space', async () => {
    const { publish, subject, connected } = openPublisher(url)
    await connected()
    const limit = (max_msgs: number) =>
      managed(url, async ({ streams }) => {
        const [name = ''] = await streams.names(subject).next()
        await streams.update(name, { max_msgs })
      })
    await limit(2)
    const [one, two, three] = [makeEvent(1), makeEvent(2), makeEvent(3)]
    expect(await publish(one, two, three)).toStrictEqual([delivered, delivered, failed])
    await limit(3)
    expect(await publish(three)).toStrictEqual([delivered])
    expect(await storedMessages(url, subject)).toHaveLength(3)
  })

  it('treats an event as poisoned if it is too large for its stream', async () => {
    const { publish, subject, connected } = openPublisher(url)
    await connected()
    await managed(url, async ({ streams }) => {
      const [name = ''] = await streams.names(subject).next()
      await streams.update(name, { max_msg_size: 1_000 })
    })
    expect(await publish(makeEvent(1, '\0'.repeat(256)), makeEvent(2))).toStrictEqual([poisoned, delivered])
  })
})

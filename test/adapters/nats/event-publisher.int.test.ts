import { randomUUID } from 'node:crypto'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import * as E from 'fp-ts/lib/Either.js'
import { isLosslessNumber, parse } from 'lossless-json'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cloudEventJson } from '../../../src/domain/cloud-event.js'
import { Pet } from '../../../src/domain/pet.js'
import type { PetCreated } from '../../../src/domain/pet-created.js'
import { eventPublisherContract } from '../../../src/testing/contracts/event-publisher.contract.js'
import { closeAfterEach } from '../../support/closing.js'
import { describeWith } from '../../support/describe-with.js'
import { type Broker, freePort, startBroker, storedMessages } from '../../support/nats-broker.js'
import { makeEvent, openPublisher } from '../../support/nats-publisher.js'

const delivered = { _tag: 'Delivered' }
const failed: unknown = expect.objectContaining({ _tag: 'Failed' })
const poisoned: unknown = expect.objectContaining({ _tag: 'Poisoned' })
const closing = closeAfterEach()
const open = (url: string, typePrefix?: string) =>
  closing(openPublisher(url, typePrefix), ({ publisher }) => publisher.close())

const managed = async <A>(url: string, use: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<A>) => {
  const connection = await connect({ servers: url })
  try {
    return await use(await jetstreamManager(connection))
  } finally {
    await connection.close()
  }
}

const bigints = (key: string, value: unknown): unknown =>
  isLosslessNumber(value) ? (key === 'time' ? Number(value.value) : BigInt(value.value)) : value

const eventFrom = (text: string): PetCreated => {
  const { id, time, data } = parse(text, bigints) as { id: string; time: string; data: unknown }
  const pet = Pet.decode(data)
  if (E.isLeft(pet)) throw new Error(`no pet in ${text}`)
  return { _tag: 'PetCreated', eventId: id, time: Date.parse(time), pet: pet.right }
}

describeWith('nats', 'makeNatsPublisher', (url) => {
  eventPublisherContract('NATS JetStream', async () => {
    const { publisher, subject, connected } = open(url)
    await connected()
    return {
      publisher,
      received: async () => (await storedMessages(url, subject)).map(({ text }) => eventFrom(text)),
      close: async () => {},
    }
  })

  it('publishes a CloudEvent in structured mode, with the id by which JetStream drops doubles', async () => {
    const { publish, subject, settings, connected } = open(url)
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
  })

  it('makes a stream on disk that refuses events when full, rather than drop old ones', async () => {
    const { subject, told } = open(url)
    await told('the event stream is made')
    const config = await managed(url, async ({ streams }) => {
      const [name = ''] = await streams.names(subject).next()
      return (await streams.info(name)).config
    })
    expect(config).toMatchObject({ storage: 'file', retention: 'limits', discard: 'new', max_age: 604_800_000_000_000 })
  })

  it('uses a stream of any other name that takes the subject', async () => {
    const typePrefix = `test.${randomUUID()}`
    await managed(url, ({ streams }) => streams.add({ name: randomUUID(), subjects: [`${typePrefix}.>`] }))
    const { publish, subject, notices, connected } = open(url, typePrefix)
    await connected()
    expect(await publish(makeEvent(1))).toStrictEqual([delivered])
    expect(await storedMessages(url, subject)).toHaveLength(1)
    expect(notices.filter(({ level }) => level === 'error')).toStrictEqual([])
  })

  it.each([
    ['nobody listens', false],
    ['somebody else listens to the subject', true],
  ])('makes a deleted stream again, and says so, where %s', async (_, isHeard) => {
    const { publish, subject, told, connected } = open(url)
    await connected()
    const listener = closing(await connect({ servers: url }), (one) => one.close())
    if (isHeard) listener.subscribe(subject)
    await listener.flush()
    expect(await publish(makeEvent(1))).toStrictEqual([delivered])
    await managed(url, async ({ streams }) => {
      for (const name of await streams.names(subject).next()) await streams.delete(name)
    })
    const lost = makeEvent(2)
    expect(await publish(lost)).toStrictEqual([failed])
    await told('the event stream was gone and is made anew: replay what it held')
    expect(await publish(lost)).toStrictEqual([delivered])
  })

  it('fails what a full stream refuses, and delivers it once there is space', async () => {
    const { publish, subject, connected } = open(url)
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

  it('calls an event poisoned that is too large for its stream', async () => {
    const { publish, subject, connected } = open(url)
    await connected()
    await managed(url, async ({ streams }) => {
      const [name = ''] = await streams.names(subject).next()
      await streams.update(name, { max_msg_size: 1_000 })
    })
    expect(await publish(makeEvent(1, '\0'.repeat(256)), makeEvent(2))).toStrictEqual([poisoned, delivered])
  })
})

describeWith('nats-container', 'makeNatsPublisher and a broker in trouble', () => {
  describe('with a broker of its own', () => {
    let broker: Broker
    beforeAll(async () => {
      broker = await startBroker()
    }, 30_000)
    afterAll(() => broker.remove())

    it('fails at once while the broker is dead, and comes back by itself, with all that was kept', async () => {
      const { publish, subject, connected, told } = open(broker.url)
      await connected()
      expect(await publish(makeEvent(1))).toStrictEqual([delivered])
      await broker.kill()
      await told('lost the event broker')
      const missed = makeEvent(2)
      expect(await publish(missed)).toStrictEqual([{ _tag: 'Failed', reason: 'not connected to the event broker' }])
      await broker.start()
      await vi.waitFor(async () => expect(await publish(missed)).toStrictEqual([delivered]), 10_000)
      expect((await storedMessages(broker.url, subject)).map(({ text }) => eventFrom(text).pet.id)).toStrictEqual([
        1n,
        2n,
      ])
    })

    it('fails within seconds while the broker hangs, and delivers once it goes on', async () => {
      const { publish, subject, connected } = open(broker.url)
      await connected()
      const one = makeEvent(1)
      await broker.pause()
      const start = performance.now()
      expect(await publish(one)).toStrictEqual([failed])
      expect(performance.now() - start).toBeLessThan(6_000)
      await broker.resume()
      await vi.waitFor(async () => expect(await publish(one)).toStrictEqual([delivered]), 10_000)
      expect(await storedMessages(broker.url, subject)).toHaveLength(1)
    })
  })

  it('starts without a broker, and finds it when it comes', async () => {
    const port = await freePort()
    const { publish, told, connected } = open(`nats://127.0.0.1:${port}`)
    await told('cannot reach the event broker')
    const one = makeEvent(1)
    expect(await publish(one)).toStrictEqual([failed])
    closing(await startBroker('', port), (one) => one.remove())
    await connected()
    expect(await publish(one)).toStrictEqual([delivered])
  })

  it('calls an event poisoned that is larger than the server takes', async () => {
    const broker = closing(await startBroker('max_payload: 1000'), (one) => one.remove())
    const { publish, connected } = open(broker.url)
    await connected()
    expect(await publish(makeEvent(1, '\0'.repeat(256)), makeEvent(2))).toStrictEqual([poisoned, delivered])
  })
})

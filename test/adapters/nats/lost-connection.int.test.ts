// A lost connection: events that await an acknowledgement are published again, and the driver keeps none to send later.
import { expect, it } from 'vitest'
import type { Delivery } from '../../../src/ports/event-publisher.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { storedMessages } from '../../support/nats/nats-broker.js'
import { delivered, eventFrom, makeEvent, openPublisher } from '../../support/nats/nats-publisher.js'
import { openConnection } from '../../support/nats/test-broker.js'
import { openProxy } from '../../support/network/tcp-proxy.js'
import { eventually } from '../../support/runner/eventually.js'

describeWith('nats', 'makeNatsPublisher whose connection is lost', (url) => {
  /** A publisher behind a proxy, and the ids of the events as the broker receives them. */
  const open = async () => {
    let isMute = false
    const never = new Promise<never>(() => {})
    const proxy = await openProxy(Number(new URL(url).port), () => ({
      request: () => {},
      reply: (bytes) => (isMute ? never : bytes),
    }))
    const opened = openPublisher(`nats://127.0.0.1:${proxy.port}`)
    await opened.connected()
    const listener = await openConnection(url)
    const heard: unknown[] = []
    listener.subscribe(opened.subject, {
      callback: (_, message) => void heard.push(eventFrom(message.string()).eventId),
    })
    await listener.flush()
    const mute = (isOn: boolean): void => {
      isMute = isOn
    }
    return { ...opened, proxy, heard, mute }
  }

  it('fails what awaits an acknowledgement, and stores each event once when it is published again', async () => {
    const { proxy, mute, publish, subject, heard } = await open()
    const events = [makeEvent(1), makeEvent(2)]
    mute(true)
    const publishing = publish(...events)
    await eventually(() => expect(heard).toHaveLength(2))
    proxy.cut()
    const unknown = { _tag: 'Failed', reason: 'lost the event broker before it acknowledged' }
    expect(await publishing).toStrictEqual([unknown, unknown])
    mute(false)
    proxy.heal()
    await eventually(async () => expect(await publish(...events)).toStrictEqual([delivered, delivered]))
    expect((await storedMessages(url, subject)).map(({ text }) => eventFrom(text))).toStrictEqual(events)
    expect(heard).toHaveLength(4)
  })

  it('never sends what was published while it was not connected', async () => {
    const { proxy, publisher, publish, heard, told } = await open()
    proxy.cut()
    await told('lost the event broker')
    proxy.heal()
    // a handshake takes long enough to publish during it
    proxy.delay(300)
    const publishing: Promise<readonly Delivery[]>[] = []
    await eventually(() => {
      if (!publisher.isConnected()) publishing.push(publish(makeEvent(1)))
      expect(publisher.isConnected()).toBe(true)
    })
    const results = (await Promise.all(publishing)).flat()
    expect(results.length).toBeGreaterThan(0)
    const notConnected = { _tag: 'Failed', reason: 'not connected to the event broker' }
    expect(results).toStrictEqual(results.map(() => notConnected))
    const last = makeEvent(2)
    expect(await publish(last)).toStrictEqual([delivered])
    expect(heard).toStrictEqual([last.eventId])
  })
})

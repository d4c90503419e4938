import { expect, it } from 'vitest'
import { describeWith } from '../../support/containers/describe-with.js'
import { storedMessages } from '../../support/nats/nats-broker.js'
import { delivered, failed, makeEvent, openPublisher, poisoned } from '../../support/nats/nats-publisher.js'
import { startBroker } from '../../support/nats/test-broker.js'
import { freePort } from '../../support/network/free-port.js'
import { eventually } from '../../support/runner/eventually.js'
import { boundMs } from '../../support/runner/night.js'

describeWith('nats-container', 'makeNatsPublisher with a failing broker', () => {
  it('fails within seconds while the broker hangs, which is lost after 15, and delivers once it continues', async () => {
    const broker = await startBroker()
    const { publish, subject, connected, told } = openPublisher(broker.url)
    await connected()
    const one = makeEvent(1)
    await broker.pause()
    const start = performance.now()
    expect(await publish(one)).toStrictEqual([failed])
    expect(performance.now() - start).toBeLessThan(boundMs(6_000))
    await told('lost the event broker')
    expect(performance.now() - start).toBeLessThan(boundMs(17_000))
    await broker.resume()
    await eventually(async () => expect(await publish(one)).toStrictEqual([delivered]))
    expect(await storedMessages(broker.url, subject)).toHaveLength(1)
  })

  it('connects to whichever server of the list responds, also to one that did not respond before', async () => {
    const port = await freePort()
    const one = await startBroker()
    const { publish, connected, told, notices } = openPublisher(`nats://127.0.0.1:${port},${one.url}`)
    await connected()
    expect(await publish(makeEvent(1))).toStrictEqual([delivered])
    await one.kill()
    await told('lost the event broker')
    const other = await startBroker('', port)
    await eventually(async () => expect(await publish(makeEvent(2))).toStrictEqual([delivered]))
    expect(notices).toContainEqual(expect.objectContaining({ details: { server: new URL(other.url).host } }))
  })

  it('treats an event as poisoned if it is larger than the server accepts', async () => {
    const broker = await startBroker('max_payload: 1000')
    const { publish, connected } = openPublisher(broker.url)
    await connected()
    expect(await publish(makeEvent(1, '\0'.repeat(256)), makeEvent(2))).toStrictEqual([poisoned, delivered])
  })
})

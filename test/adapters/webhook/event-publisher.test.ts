import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../../src/adapters/node/system.js'
import { cloudEventJson } from '../../../src/domain/events/cloud-event.js'
import { eventPublisherContract } from '../../../src/testing/contracts/relay.contract.js'
import { range } from '../../../src/testing/samples.js'
import { delivered, eventFrom, makeEvent } from '../../support/nats/nats-publisher.js'
import { startListening } from '../../support/network/start-listening.js'
import { useFakeTimers } from '../../support/runner/fake-timers.js'
import { newSecret, openWebhook, SETTINGS, startReceiver } from '../../support/webhook/receiver.js'

eventPublisherContract('webhook', async () => {
  const { url, secret, accepted, responses } = await startReceiver()
  const { publisher } = openWebhook(url, [secret])
  return {
    publisher,
    received: async () => accepted.map(eventFrom),
    interrupt: async () => responses(() => 503),
    restore: async () => responses(() => 200),
    close: async () => {},
  }
})

const deliveryAfter = async (status: number, headers: Readonly<Record<string, string>> = {}) => {
  const { url, secret, responses } = await startReceiver()
  responses((_request, _before, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    return status
  })
  const [delivery] = await openWebhook(url, [secret]).publish(makeEvent(1))
  return delivery
}

describe('makeWebhookPublisher', () => {
  it('waits a quarter of a minute for a response', async () => {
    const port = await startListening(createServer())
    useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const publishing = openWebhook(`http://127.0.0.1:${port}`, [newSecret()]).publish(makeEvent(1))
    await vi.advanceTimersByTimeAsync(600_000)
    expect(await publishing).toStrictEqual([{ _tag: 'Failed', reason: 'no response within 15 s' }])
  })

  it('ends a call in flight at its close, and sends nothing afterwards', async () => {
    const server = createServer()
    const port = await startListening(server)
    const { publish, publisher } = openWebhook(`http://127.0.0.1:${port}`, [newSecret()])
    const publishing = publish(makeEvent(1))
    await once(server, 'connection')
    await publisher.close()
    const reasons = ['no response until the service stopped', 'the service has stopped']
    const outcomes = [await publishing, await publish(makeEvent(1))]
    expect(outcomes).toStrictEqual(reasons.map((reason) => [{ _tag: 'Failed', reason }]))
  })

  it('sends one POST per event: a CloudEvent in structured mode, signed [webhook]', async () => {
    const { url, secret, requests } = await startReceiver()
    const { publish } = openWebhook(url, [secret])
    const one = makeEvent(1, ' \0"\u{1f436}')
    expect(await publish(one)).toStrictEqual([delivered])
    expect(requests).toMatchObject([{ method: 'POST', path: '/hook?of=pets', body: cloudEventJson(one, SETTINGS) }])
    expect(requests[0]?.headers).toMatchObject({
      'content-type': 'application/cloudevents+json',
      'content-length': String(Buffer.byteLength(cloudEventJson(one, SETTINGS))),
      'webhook-id': one.eventId,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/) as unknown,
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/) as unknown,
    })
  })

  it('signs with both secrets while one is replaced, so that a receiver may know either [webhook]', async () => {
    const [former, next] = [newSecret(), newSecret()]
    for (const secret of [former, next]) {
      const { url, requests } = await startReceiver({ secret })
      expect(await openWebhook(url, [former, next]).publish(makeEvent(1))).toStrictEqual([delivered])
      expect(String(requests[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2)
    }
  })

  it.each([
    ['an acknowledgement', 'Delivered', [200, 299]],
    ['a refusal', 'Poisoned', [400, 413, 415, 422]],
    ['an outage', 'Failed', [401, 404, 408, 429, 500, 599]],
  ])('takes for %s, %s, any of %j [webhook]', async (_, _tag, statuses) => {
    for (const status of statuses)
      expect(await deliveryAfter(status)).toStrictEqual({
        _tag,
        ...(_tag !== 'Delivered' && { reason: `the webhook responded with ${status}` }),
      })
  })

  it('follows no redirect [webhook]', async () => {
    const other = await startReceiver()
    const reason = 'the webhook responded with 308, and redirects are not followed'
    expect(await deliveryAfter(308, { location: other.url })).toStrictEqual({ _tag: 'Failed', reason })
    expect(other.requests).toStrictEqual([])
  })

  it.each([
    ['120', 120_000],
    [new Date(Date.now() + 900_000).toUTCString(), 900_000],
    ['999999999999', 3_600_000],
    // Date.parse would read a year
    ['40.5', undefined],
  ])('honours Retry-After: %s [webhook]', async (value, wait) => {
    const delivery = await deliveryAfter(429, { 'retry-after': value })
    if (wait === undefined) expect(delivery).not.toHaveProperty('wait')
    else {
      const asked = delivery?._tag === 'Failed' ? Number(delivery.wait) : Number.NaN
      // a date has no milliseconds, and some have passed
      expect(Math.abs(asked - wait)).toBeLessThan(30_000)
    }
  })

  it('waits five seconds when the webhook is gone [webhook]', async () => {
    const { url, secret, responses } = await startReceiver()
    responses((_, before) => (before === 2 ? 200 : 410))
    const { publish } = openWebhook(url, [secret])
    const gone = { _tag: 'Failed', reason: 'the webhook responded with 410', wait: 5_000 }
    for (const result of [gone, gone, delivered, gone]) expect(await publish(makeEvent(1))).toStrictEqual([result])
    expect(await deliveryAfter(410, { 'retry-after': '1' })).toStrictEqual(gone)
  })

  it('sends one event at a time, in order, and stops at the first that is not delivered [webhook]', async () => {
    const { url, secret, accepted, requests, responses, mostAtOnce, connectionCount } = await startReceiver()
    // a publisher stops after half a second
    const { publish } = openWebhook(url, [secret], { ...systemClock, monotonicMs: () => 0 })
    const events = range(1, 20).map((id) => makeEvent(id))
    expect(await publish(...events)).toStrictEqual(events.map(() => delivered))
    expect(accepted.map(eventFrom)).toStrictEqual(events)
    expect([mostAtOnce(), connectionCount()]).toStrictEqual([1, 1])
    responses((_, before) => (before === 22 ? 500 : 200))
    expect(await publish(...events)).toMatchObject([delivered, delivered, { _tag: 'Failed' }])
    responses((_, before) => (before === 24 ? 400 : 200))
    expect(await publish(...events)).toMatchObject([delivered, { _tag: 'Poisoned' }])
    expect(requests).toHaveLength(25)
  })

  it('begins no request half a second after the first, so that a crash repeats no more than that', async () => {
    const { url, secret } = await startReceiver()
    let ms = 0
    const monotonicMs = () => (ms += 200)
    const { publish } = openWebhook(url, [secret], { ...systemClock, monotonicMs })
    expect(await publish(...range(1, 9).map((id) => makeEvent(id)))).toStrictEqual([delivered, delivered, delivered])
  })

  it('refuses an event whose id cannot be a header', async () => {
    const { url, secret, requests } = await startReceiver()
    const event = { ...makeEvent(1), eventId: 'a\r\nb: c' }
    const reason = 'its id cannot be the value of a header'
    expect(await openWebhook(url, [secret]).publish(event)).toStrictEqual([{ _tag: 'Poisoned', reason }])
    expect(requests).toStrictEqual([])
  })
})

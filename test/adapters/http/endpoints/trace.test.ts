// The trace of a request goes on in the event of the pet that it added.
import { describe, expect, it } from 'vitest'
import { cloudEventJson } from '../../../../src/domain/events/cloud-event.js'
import { eventsIn } from '../../../support/domain/log-reads.js'
import { startHttp, type TestService } from '../../../support/http/http-service.js'

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const OTHER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'
const settings = { source: 'https://pets.example/v1', typePrefix: 'org.example' }

const create = (call: TestService['call'], headers: Readonly<Record<string, string>>) =>
  call('POST', '/v1/pets', { body: '{"name":"a","categoryId":1}', headers })

const eventsOf = async ({ world }: TestService) =>
  (await eventsIn(world)).map((event): unknown => JSON.parse(cloudEventJson(event, settings)))

describe('the event of a pet', () => {
  it('carries the traceparent of the request, and none without one [request-id]', async () => {
    const service = await startHttp()
    await create(service.call, { traceparent: TRACE })
    await create(service.call, {})
    await create(service.call, { traceparent: '00-malformed' })
    const events = await eventsOf(service)
    expect(events).toMatchObject([{ traceparent: TRACE }, {}, {}])
    expect(events.map((event) => JSON.stringify(event).includes('traceparent'))).toStrictEqual([true, false, false])
  })

  it('keeps the trace of the first request when a retry has another', async () => {
    const service = await startHttp()
    for (const traceparent of [TRACE, OTHER]) await create(service.call, { traceparent, 'Idempotency-Key': 'k' })
    expect(await eventsOf(service)).toMatchObject([{ traceparent: TRACE }])
  })
})

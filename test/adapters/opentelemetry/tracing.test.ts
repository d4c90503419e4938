import { context, diag, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import * as E from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished, vi } from 'vitest'
import { makeInProcessPublisher } from '../../../src/adapters/memory/event-publisher.js'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { traceServices } from '../../../src/adapters/opentelemetry/channel.js'
import { makeTracing } from '../../../src/adapters/opentelemetry/tracing.js'
import { unavailable } from '../../../src/domain/errors.js'
import type { DomainEvent } from '../../../src/domain/events/domain-event.js'
import type { EventPublisher } from '../../../src/ports/event-publisher.js'
import type { Store } from '../../../src/ports/store.js'
import { eventOf, numbered } from '../../../src/testing/samples.js'
import { sendRaw } from '../../support/http/raw.js'
import { get } from '../../support/http/raw-requests.js'
import { fetchOnce, runService } from '../../support/http/running-service.js'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const CLIENT = '00f067aa0ba902b7'
const TRACEPARENT = `00-${TRACE_ID}-${CLIENT}-01`

const collect = () => {
  const exporter = new InMemorySpanExporter()
  return { exporter, provider: new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }) }
}

const start = async (replace: (store: Store) => Store = (store) => store) => {
  const { exporter, provider } = collect()
  provider.register()
  const untrace = traceServices(makeTracing(provider.getTracer('test'), () => provider.forceFlush()))
  onTestFinished(() => {
    untrace()
    for (const api of [trace, context, propagation]) api.disable()
  })
  const store = replace(makeMemoryStore())
  const events: DomainEvent[] = []
  const publisher = () => makeInProcessPublisher([(event) => void events.push(event)])
  const service = await runService({}, { store, publisher })
  const call = (method: string, path: string, body: string | null = null) =>
    service.call(method, path, { body, headers: { traceparent: TRACEPARENT } })
  const spans = (count: number) =>
    vi.waitFor(() => {
      const found = exporter.getFinishedSpans()
      expect(found).toHaveLength(count)
      return found
    })
  return { ...service, call, spans, events }
}

it('a create is a span in the trace of its client, the parent of the calls of the store and of the publication', async () => {
  const { call, spans, events, keyId } = await start()
  const answer = await call('POST', '/pets', '{"name":"Rex","categoryId":7}')
  expect(answer.status).toBe(201)
  const found = await spans(6)
  const server = found.find(({ kind }) => kind === SpanKind.SERVER)
  expect(server).toMatchObject({ name: 'POST /v1/pets', parentSpanContext: { traceId: TRACE_ID, spanId: CLIENT } })
  expect(server?.status.code).toBe(SpanStatusCode.UNSET)
  expect(server?.attributes).toStrictEqual({
    'http.request.method': 'POST',
    'http.route': '/v1/pets',
    'http.response.status_code': 201,
    'animal_store.request_id': answer.headers.get('X-Request-Id'),
    'animal_store.key_id': keyId,
  })
  const children = found.filter((span) => span !== server)
  expect(children.map(({ name }) => name).sort()).toStrictEqual([
    'publish PetCreated',
    'store apiKeys.change',
    'store apiKeys.find',
    'store ids.next',
    'store pets.add',
  ])
  const id = server?.spanContext().spanId
  for (const span of children) {
    expect(span.parentSpanContext).toMatchObject({ traceId: TRACE_ID, spanId: id })
    expect(span.status.code).toBe(SpanStatusCode.UNSET)
    const ofEvent = { 'messaging.message.id': events[0]?.eventId, 'messaging.operation.type': 'send' }
    expect(span.attributes).toStrictEqual(span.name === 'publish PetCreated' ? ofEvent : {})
  }
  // the event continues the trace from the service's span
  expect(events.map(({ traceparent }) => traceparent)).toStrictEqual([`00-${TRACE_ID}-${id}-01`])
})

it.each([
  ['a failed call', 'unavailable', 503, 'Error: away', async () => E.left(unavailable(new Error('away')))],
  ['a defect', 'internal_error', 500, 'defect', () => Promise.reject(new Error('a defect'))],
] as const)('%s of the store is an error of its span and of the request', async (_, code, status, message, failing) => {
  const findPage = () => failing
  const { call, spans } = await start((store) => ({ ...store, pets: { ...store.pets, findPage } }))
  const answer = await call('GET', '/pets')
  expect(answer.status).toBe(status)
  const found = await spans(4)
  expect(found.find(({ name }) => name === 'store pets.findPage')?.status).toStrictEqual({
    code: SpanStatusCode.ERROR,
    message,
  })
  const request = found.find(({ name }) => name === 'GET /v1/pets')
  expect(request?.status.code).toBe(SpanStatusCode.ERROR)
  expect(request?.attributes).toMatchObject({ 'http.response.status_code': status, 'error.type': code })
})

it('probes and the polling of the relay make no spans', async () => {
  const { url, call, spans } = await start()
  expect((await fetchOnce(url.replace('/v1', '/health/ready'))).status).toBe(200)
  expect((await call('GET', '/nothing')).status).toBe(404)
  const [refused] = await spans(1)
  // errors of the client are not errors of the service
  expect(refused).toMatchObject({ name: 'GET unmatched', status: { code: SpanStatusCode.UNSET } })
  expect(refused?.attributes).toMatchObject({ 'error.type': 'route_not_found', 'http.response.status_code': 404 })
})

it('what is refused, or probes, behind a request leaves the span of that one as it ended', async () => {
  const { url, spans } = await start()
  const warn = vi.spyOn(diag, 'warn')
  onTestFinished(() => warn.mockRestore())
  const responses = await sendRaw(Number(new URL(url).port), `${get('/nothing')}${get('/health/ready')}nothing\r\n\r\n`)
  expect(responses.map(({ status }) => status)).toStrictEqual([404, 200, 400])
  expect(await spans(1)).toMatchObject([{ name: 'GET unmatched' }])
  expect(warn.mock.calls).toStrictEqual([])
})

it('a publisher that throws has a failed span for each event', async () => {
  const { exporter, provider } = collect()
  const { publisher } = makeTracing(provider.getTracer('test'), () => provider.forceFlush())
  const events = [eventOf(numbered(1)), eventOf(numbered(2))]
  const failing: EventPublisher = { publish: () => () => Promise.reject(new Error('lost')) }
  await expect(publisher(failing).publish(events)()).rejects.toThrow('lost')
  const wanted = events.map(({ eventId }) => ({
    name: 'publish PetCreated',
    attributes: { 'messaging.message.id': eventId },
    status: { code: SpanStatusCode.ERROR, message: 'defect' },
  }))
  expect(exporter.getFinishedSpans()).toMatchObject(wanted)
})

// Traces requests, store calls and publications with the OpenTelemetry API.
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import * as E from 'fp-ts/lib/Either.js'
import type { EventPublisher } from '../../ports/event-publisher.js'
import type { RequestReport } from '../../ports/observer.js'
import type { Instrument, StoreOperation } from '../../ports/store.js'

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

export interface Tracing {
  /** Runs each request in a span, which continues the client's trace and is the parent of everything it causes. */
  readonly listener: (listener: Listener) => Listener
  /** Names the span of the current request. */
  readonly responded: (request: RequestReport) => void
  /** Runs each call in a span if it belongs to a trace. */
  readonly operation: (operation: StoreOperation) => Instrument
  /** One span for each event that was tried, in the trace of the request that caused it. */
  readonly publisher: <P extends EventPublisher>(publisher: P) => P
  /** Exports ended spans; rejects if the collector does not take them in time. */
  readonly flush: () => Promise<void>
}

const endWith = (span: Span, failure: string | undefined): void => {
  if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure })
  span.end()
}

/** Replaces the sent trace headers, so that the log and the event name the span of this service. */
const setHeader = ({ headers, rawHeaders }: IncomingMessage, name: string, value: string): void => {
  headers[name] = value
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    if (rawHeaders[at]?.toLowerCase() === name) rawHeaders.splice(at, 2)
  }
  rawHeaders.push(name, value)
}

export const makeTracing = (tracer: Tracer, flush: () => Promise<void>): Tracing => ({
  listener: (listener) => (request, response) => {
    // probes are not traced; without ROOT_CONTEXT, they would run in the span of an earlier request on the connection
    if (request.url?.startsWith('/health/') === true)
      return context.with(ROOT_CONTEXT, () => listener(request, response))
    const parent = propagation.extract(ROOT_CONTEXT, request.headers)
    const method = request.method ?? ''
    const span = tracer.startSpan(
      method,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
      parent,
    )
    const inner = trace.setSpan(parent, span)
    propagation.inject(inner, request, { set: setHeader })
    const served = context.with(inner, () => listener(request, response))
    const closed = new Promise((resolve) => response.once('close', resolve))
    // waits for both, because a request whose client has left is reported only afterwards
    void Promise.allSettled([served, closed]).then(() => span.end())
    return served
  },

  responded: ({ method, route, status, code, requestId, keyId }) => {
    const span = trace.getActiveSpan()
    // a request refused before the listener has no span, or the ended one of an earlier request
    if (span?.isRecording() !== true) return
    span.updateName(`${method} ${route}`)
    const attributes: Attributes = {
      'http.route': route,
      'http.response.status_code': status,
      'animal_store.request_id': requestId,
    }
    if (keyId !== undefined) attributes['animal_store.key_id'] = keyId
    if (code !== undefined) attributes['error.type'] = code
    span.setAttributes(attributes)
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  },

  operation: (operation) => (call) => async () => {
    // excludes the relay, which may run in the context of the request that woke it
    if (operation.startsWith('log.') || operation.startsWith('relay.') || trace.getActiveSpan() === undefined)
      return call()
    const span = tracer.startSpan(`store ${operation}`, { kind: SpanKind.CLIENT })
    let failure: string | undefined = 'defect'
    try {
      const result = await context.with(trace.setSpan(context.active(), span), call)
      failure = E.isLeft(result) ? String(result.left.cause) : undefined
      return result
    } finally {
      endWith(span, failure)
    }
  },

  publisher: (publisher) => ({
    ...publisher,
    publish: (events) => async () => {
      const spans = events.map(({ _tag, eventId, traceparent }) => {
        const parent = propagation.extract(ROOT_CONTEXT, traceparent === undefined ? {} : { traceparent })
        const attributes = { 'messaging.message.id': eventId, 'messaging.operation.type': 'send' }
        return tracer.startSpan(`publish ${_tag}`, { kind: SpanKind.PRODUCER, attributes }, parent)
      })
      try {
        const deliveries = await publisher.publish(events)()
        // the spans of events that were not tried never end, and so are never exported
        for (const [at, delivery] of deliveries.entries()) {
          const span = spans[at]
          if (span !== undefined) endWith(span, delivery._tag === 'Delivered' ? undefined : delivery.reason)
        }
        return deliveries
      } catch (defect) {
        for (const span of spans) endWith(span, 'defect')
        throw defect
      }
    },
  }),

  flush,
})

// Traces the service of this process. The standard variables OTEL_… configure where spans go.
import { DiagConsoleLogger, DiagLogLevel, diag, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { asError } from '../../domain/thrown.js'
import { traceServices } from './channel.js'
import { makeTracing } from './tracing.js'

// if the collector is unreachable, the service keeps running and reports it
diag.setLogger(new DiagConsoleLogger(), DiagLogLevel.WARN)

/** Limit for exporting the last spans when the service stops. */
const FLUSH_MS = 2_000

export const tracerProvider = new NodeTracerProvider({
  resource: defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'animal-store' }))
    .merge(detectResources({ detectors: [envDetector] })),
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
})
// also sets the W3C propagator and a context manager
tracerProvider.register()

const flush = async (): Promise<void> => {
  try {
    await tracerProvider.forceFlush({ timeoutMillis: FLUSH_MS })
  } catch (causes) {
    // the driver rejects with a list
    throw asError([causes].flat()[0])
  }
}

traceServices(makeTracing(trace.getTracer('animal-store'), flush))

// `animal-store/tracing`, to trace the service with OpenTelemetry. Load it first, with `node --import`.
export { tracerProvider } from '../adapters/opentelemetry/register.js'

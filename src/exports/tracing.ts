// `animal-store/tracing`, for whoever traces the service by OpenTelemetry: loaded by `node --import`, before all else.
export { tracerProvider } from '../adapters/opentelemetry/register.js'

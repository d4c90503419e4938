// The entry point `animal-store/tracing`, for `node --import`: traces the service by OpenTelemetry.
export { tracerProvider } from '../adapters/opentelemetry/register.js'

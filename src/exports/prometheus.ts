// The entry point `animal-store/prometheus`: the metrics of a service; needs prom-client.
export { type Metrics, type MetricsSettings, makeMetrics } from '../adapters/prometheus/metrics.js'
export { makeMetricsServer } from '../adapters/prometheus/metrics-server.js'

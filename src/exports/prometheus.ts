// The entry point `animal-store/prometheus`: the metrics of a service; needs prom-client.
export { type Metrics, type MetricsSettings, makeMetrics, makeMetricsServer } from '../adapters/prometheus/metrics.js'

// Figures of the running service, for Prometheus to fetch.
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Damage } from '../../ports/damage-report.js'

export interface Metrics {
  /** Counts an answer and its duration in milliseconds. */
  readonly answered: (answer: {
    readonly route: string
    readonly method: string
    readonly status: number
    readonly milliseconds: number
  }) => void
  readonly damaged: (damage: Damage) => void
  /** All figures in the text format, and its media type. */
  readonly render: () => Promise<{ readonly text: string; readonly contentType: string }>
}

export interface MetricsSettings {
  /** Whether somebody may fetch them: to watch the process wakes it a hundred times a second, a percent of a core. */
  readonly isServed: boolean
}

export const makeMetrics = ({ isServed }: MetricsSettings): Metrics => {
  const registry = new Registry()
  if (isServed) collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered; calls of the deprecated getPet are those of its route.',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the headers of a request to its answer.',
    labelNames: ['route', 'method'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const damages = new Counter({
    name: 'animal_store_damaged_records_total',
    help: 'Meetings with a record that cannot be decoded.',
    labelNames: ['record'],
    registers: [registry],
  })

  // the figures of each series at hand: to find them by their labels costs more than to add to them
  const series = new Map<string, { readonly count: Counter.Internal; readonly duration: Histogram.Internal<string> }>()
  const seriesOf = (route: string, method: string, status: number) => {
    const name = `${method} ${status} ${route}`
    const known = series.get(name)
    if (known !== undefined) return known
    const made = { count: requests.labels(route, method, String(status)), duration: durations.labels(route, method) }
    series.set(name, made)
    return made
  }

  return {
    answered: ({ route, method, status, milliseconds }) => {
      const { count, duration } = seriesOf(route, method, status)
      count.inc()
      duration.observe(milliseconds / 1_000)
    },
    damaged: ({ record }) => damages.inc({ record }),
    render: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  }
}

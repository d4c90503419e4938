// Metrics of the running service, for Prometheus to scrape.
import { Counter, collectDefaultMetrics, Registry } from 'prom-client'
import type { Damage } from '../../ports/damage-report.js'
import { type AnsweredRequest, makeRequestMetrics } from './request-metrics.js'

export interface Metrics {
  /** Counts a response and its duration. */
  readonly answered: (answer: AnsweredRequest) => void
  readonly damaged: (damage: Damage) => void
  /** All metrics in the text format, and their media type. */
  readonly render: () => Promise<{ readonly text: string; readonly contentType: string }>
}

export interface MetricsSettings {
  /** Whether metrics are served: watching the process takes 1 % of a core. */
  readonly isServed: boolean
}

/**
 * The metrics of one service.
 *
 * @example
 * const metrics = makeMetrics({ isServed: false })
 * metrics.damaged({ record: 'pet', id: '1', reason: 'is not JSON' })
 */
export const makeMetrics = ({ isServed }: MetricsSettings): Metrics => {
  const registry = new Registry()
  if (isServed) collectDefaultMetrics({ register: registry })
  const requests = makeRequestMetrics()
  const damages = new Counter({
    name: 'animal_store_damaged_records_total',
    help: 'Damaged records, counted each time they are read.',
    labelNames: ['record'],
    registers: [registry],
  })

  return {
    answered: requests.answered,
    damaged: ({ record }) => damages.inc({ record }),
    render: async () => ({
      text: `${requests.render()}\n${await registry.metrics()}`,
      contentType: registry.contentType,
    }),
  }
}

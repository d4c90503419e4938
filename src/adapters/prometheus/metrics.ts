// Metrics of the running service, for Prometheus to scrape.
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

const DAMAGED = 'animal_store_damaged_records_total'
/** Prometheus' text format. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * The metrics of one service.
 *
 * @example
 * const metrics = makeMetrics({ isServed: false })
 * metrics.damaged({ record: 'pet', id: '1', reason: 'is not JSON' })
 */
export const makeMetrics = ({ isServed }: MetricsSettings): Metrics => {
  const requests = makeRequestMetrics()
  const damages = new Map<Damage['record'], number>()

  // loaded only where metrics are served, because it takes a tenth of a start
  const loading = isServed ? import('prom-client') : undefined
  const watching = loading?.then(({ collectDefaultMetrics, Registry }) => {
    const registry = new Registry()
    collectDefaultMetrics({ register: registry })
    return registry
  })

  const damageText = (): string =>
    [
      `# HELP ${DAMAGED} Damaged records, counted each time they are read.`,
      `# TYPE ${DAMAGED} counter`,
      ...[...damages].map(([record, count]) => `${DAMAGED}{record="${record}"} ${count}`),
      '',
    ].join('\n')

  return {
    answered: requests.answered,
    damaged: ({ record }) => void damages.set(record, (damages.get(record) ?? 0) + 1),
    render: async () => {
      const processText = await (await watching)?.metrics()
      return { text: [requests.render(), damageText(), processText ?? ''].join('\n'), contentType: CONTENT_TYPE }
    },
  }
}

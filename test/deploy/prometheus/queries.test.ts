// Alerts and the dashboard query only metrics that the service serves.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { STATUS_OF } from '../../../src/adapters/http/failures.js'
import { METRIC_NAMES, METRICS, type MetricName } from '../../../src/adapters/prometheus/catalogue.js'
import { loadMetrics } from '../../../src/adapters/prometheus/metrics.js'
import { seriesIn } from '../../support/documents/scrape.js'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: Readonly<Record<string, string>>
}

const dashboard = JSON.parse(readFileSync('deploy/grafana/animal-store.dashboard.json', 'utf8')) as {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[]
}
const { groups } = parse(readFileSync('deploy/prometheus/animal-store.rules.yaml', 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[]
}
const alerts = groups.flatMap(({ rules }) => rules)

const queries = [
  ...alerts.map(({ alert, expr }) => ({ title: alert, expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr }))),
]

const matchersIn = (text: string) => [...text.matchAll(/(\w+)(?:=~|!~|!=|=)"([^"]*)"/g)]

/** The metrics in a query, and the labels and codes that it expects of each metric. */
const usesIn = (expr: string) =>
  [...expr.matchAll(/\b((?:http|animal_store|nodejs|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', matchers = '']) => ({
      name,
      labels: matchersIn(matchers).map(([, label = '']) => label),
      codes: matchersIn(matchers)
        .filter(([, label]) => label === 'code')
        .flatMap(([, , values = '']) => values.split('|')),
    }),
  )

const groupedBy = (expr: string): readonly string[] =>
  [...expr.matchAll(/\b(?:by|on) ?\(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/, ?/))

const ADDED = ['job', 'instance', 'le']

const isOurs = (name: string): name is MetricName => METRIC_NAMES.some((one) => one === name)

const metricOf = (series: string): string => (isOurs(series) ? series : series.replace(/_(?:bucket|sum|count)$/, ''))

const seriesOf = (name: MetricName): readonly string[] =>
  METRICS[name].type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]

describe.each(queries)('the query of $title: $expr', ({ expr }) => {
  const uses = usesIn(expr)

  it('uses series that exist, with labels and codes that they have', async () => {
    const watched = seriesIn((await (await loadMetrics()).render()).text)
    const known = new Set([...METRIC_NAMES.flatMap(seriesOf), ...Object.keys(watched)])
    for (const { name, labels, codes } of uses) {
      expect(known).toContain(name)
      const metric = metricOf(name)
      const has = isOurs(metric) ? [...METRICS[metric].labels, ...ADDED] : ADDED
      expect(has).toEqual(expect.arrayContaining([...labels]))
      expect(['', ...Object.keys(STATUS_OF)]).toEqual(expect.arrayContaining([...codes]))
      expect(has).toEqual(expect.arrayContaining([...groupedBy(expr)]))
    }
    expect(uses.length > 0 || expr.includes('up{')).toBe(true)
  })
})

describe('the alerts and the dashboard', () => {
  it('use every metric of the service', () => {
    const used = new Set(queries.flatMap(({ expr }) => usesIn(expr).map(({ name }) => metricOf(name))))
    expect(METRIC_NAMES.filter((name) => !used.has(name))).toStrictEqual([])
  })

  it('have a test for each alert', () => {
    const tests = readFileSync('test/deploy/prometheus/rules.promtool.yaml', 'utf8')
    expect(alerts.length).toBeGreaterThan(10)
    for (const { alert } of alerts) expect(tests).toMatch(new RegExp(`\\b${alert}\\b`))
  })

  it('link a section of the runbook per alert: its severity, what it means, what to look at, what to do', () => {
    const page = readFileSync('docs/alerts.md', 'utf8')
    const sections = new Map(page.split('\n### ').map((text) => [text.split('\n')[0], text]))
    expect([...sections.keys()].slice(1)).toStrictEqual(alerts.map(({ alert }) => alert))
    for (const { alert, labels, annotations } of alerts) {
      expect(annotations['runbook']).toBe(`docs/alerts.md#${alert.toLowerCase()}`)
      const steps = [`**Means** (${labels.severity}):`, '**Look at:**', '**Do:**']
      for (const step of steps) expect(sections.get(alert)).toContain(`\n- ${step} `)
    }
  })
})

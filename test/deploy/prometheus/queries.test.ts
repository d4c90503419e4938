// The alerts and the dashboard query only what the service serves.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../../../src/adapters/http/error-codes.js'
import { METRIC_NAMES, type MetricName, rowOf } from '../../../src/adapters/prometheus/catalogue.js'
import { loadMetrics } from '../../../src/adapters/prometheus/metrics.js'
import { seriesIn } from '../../support/documents/scrape.js'
import { alertRules, alerts, groupedBy, panels, usesIn } from './queries.js'

/** Labels that Prometheus adds. */
const ADDED = ['job', 'instance', 'le']

const isOurs = (name: string): name is MetricName => METRIC_NAMES.some((one) => one === name)

/** The metric of a series. */
const metricOf = (series: string): string => (isOurs(series) ? series : series.replace(/_(?:bucket|sum|count)$/, ''))

const seriesOf = (name: MetricName): readonly string[] =>
  rowOf(name).type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]

const queries = [...alerts, ...panels]

describe.each(queries)('the query of $title: $expr', ({ expr }) => {
  const uses = usesIn(expr)

  it('uses series that exist, with labels and codes that they have', async () => {
    const watched = seriesIn((await (await loadMetrics()).render()).text)
    const known = new Set([...METRIC_NAMES.flatMap(seriesOf), ...Object.keys(watched)])
    for (const { name, labels, codes } of uses) {
      expect(known).toContain(name)
      const metric = metricOf(name)
      const has = isOurs(metric) ? [...rowOf(metric).labels, ...ADDED] : ADDED
      expect(has).toEqual(expect.arrayContaining([...labels]))
      expect(['', ...ERROR_CODES]).toEqual(expect.arrayContaining([...codes]))
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
    for (const { title } of alerts) expect(tests).toMatch(new RegExp(`\\b${title}\\b|alertname="${title}"`))
  })

  it('link a section of the runbook per alert: its severity, what it means, what to look at, what to do', () => {
    const page = readFileSync('docs/alerts.md', 'utf8')
    const sections = new Map(page.split('\n### ').map((text) => [text.split('\n')[0], text]))
    expect([...sections.keys()].slice(1)).toStrictEqual(alertRules.map(({ alert }) => alert))
    for (const { alert, labels, annotations } of alertRules) {
      expect(annotations['runbook']).toBe(`docs/alerts.md#${alert.toLowerCase()}`)
      const steps = [`**Means** (${labels.severity}):`, '**Look at:**', '**Do:**']
      for (const step of steps) expect(sections.get(alert)).toContain(`\n- ${step} `)
    }
  })
})

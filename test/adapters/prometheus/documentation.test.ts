// `npm run docs` writes docs/metrics.md from the table of metrics.
import { describe, expect, it } from 'vitest'
import { METRIC_NAMES, METRICS } from '../../../src/adapters/prometheus/catalogue.js'
import { loadMetrics } from '../../../src/adapters/prometheus/metrics.js'
import { seriesIn } from '../../support/documents/scrape.js'

/** Process metrics used by alerts and the dashboard; prom-client has more. */
const PROCESS_METRICS = {
  nodejs_eventloop_lag_p99_seconds: 'how late the event loop was, 99th percentile since the last scrape',
  nodejs_eventloop_lag_max_seconds: 'the same, at most',
  nodejs_heap_size_used_bytes: 'heap of JavaScript in use',
  process_cpu_seconds_total: 'processor time of the process',
  process_resident_memory_bytes: 'memory of the process',
  process_start_time_seconds: 'start of the process, in seconds since 1970',
} as const

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const UNITS: readonly (readonly [suffix: string, unit: string])[] = [
  ['_seconds', 'seconds'],
  ['_bytes', 'bytes'],
]

const unitOf = (name: string): string => UNITS.find(([suffix]) => name.endsWith(suffix))?.[1] ?? ''

const PAGE = `# Metrics

With \`METRICS_PORT\`, the service serves \`/metrics\` in Prometheus' text format, without a key, on \`METRICS_HOST\`: only this machine, unless you set it.
The numbers are those of one process, except where the meaning says otherwise. Counting a request takes 1.5 µs and each call of the store 1.2 µs; all else is
collected at the scrape, which waits up to 2 s for the store. No label holds anything that a client invents, so the number of series is bounded.

\`npm run docs\` writes this page from the table in \`src/adapters/prometheus/catalogue.ts\`.

${row('metric', 'type', 'unit', 'labels', 'meaning')}
${row('---', '---', '---', '---', '---')}
${METRIC_NAMES.map((name) => {
  const { type, labels, help } = METRICS[name]
  return row(`\`${name}\``, type, unitOf(name), labels.map((label) => `\`${label}\``).join(' '), help)
}).join('\n')}

## Labels

| label | values |
| --- | --- |
| \`route\` | the template of the route, such as \`/v1/pets/{petId}\`, or \`unmatched\` |
| \`method\` | a method of RFC 9110, \`PATCH\`, or \`_OTHER\`; empty if the request could not be parsed |
| \`code\` | a [code of an error](errors.md), such as \`rate_limited\`; \`connection_lost\`, with the status 499, if the connection ended before the body was whole |
| \`operation\` | a function of a [port](ports.md), such as \`pets.add\`; for batches also \`commit\`, of the embedded store |
| \`command\` | a command of MongoDB, such as \`insert\`, or \`commit\` |
| \`pool\` | \`requests\`; \`counts\`, for exact counts; \`maintenance\`, for indexes and operators' commands |
| \`key_id\` | the id of a valid API key, as \`animal-store keys list\` shows it, or empty |

\`prom-client\` adds metrics of Node and the process, among them:

${row('metric', 'meaning')}
${row('---', '---')}
${Object.entries(PROCESS_METRICS)
  .map(([name, meaning]) => row(`\`${name}\``, meaning))
  .join('\n')}

Connections are those of MongoDB; file and disk those of the embedded store, whose only command is \`commit\`. A store of memory has no commands and batches.

In your own program, load the metrics yourself and hand them over: \`loadMetrics\` of \`animal-store/http\`, its \`storeObserver\` as the \`observer\` of the
store's settings, and the metrics to \`startService\`. Beside a server of your own, \`makeMetricsServer(metrics)\` serves them: make its \`server\` listen.
`

describe('the documentation of the metrics', () => {
  it('has a row for every metric in docs/metrics.md', async () => {
    await expect(PAGE).toMatchFileSnapshot('../../../docs/metrics.md')
  })

  it('names metrics of the process that are served', async () => {
    const series = seriesIn((await (await loadMetrics()).render()).text)
    for (const name of Object.keys(PROCESS_METRICS)) expect(series).toHaveProperty([name])
  })
})

// `npm run docs` writes docs/metrics.md from the table of metrics.
import { describe, expect, it } from 'vitest'
import { METRIC_NAMES, METRICS } from '../../../src/adapters/prometheus/catalogue.js'
import { loadMetrics } from '../../../src/adapters/prometheus/metrics.js'
import { seriesIn } from '../../support/documents/scrape.js'

/** Process metrics used by alerts and the dashboard; prom-client has more. */
const PROCESS_METRICS = {
  nodejs_eventloop_lag_p99_seconds: 'event loop lag, 99th percentile since the last scrape',
  nodejs_eventloop_lag_max_seconds: 'event loop lag, maximum since the last scrape',
  nodejs_heap_size_used_bytes: 'JavaScript heap in use',
  process_cpu_seconds_total: 'CPU time of the process',
  process_resident_memory_bytes: 'memory of the process',
  process_start_time_seconds: 'process start, in seconds since 1970',
} as const

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const UNITS: readonly (readonly [suffix: string, unit: string])[] = [
  ['_seconds', 'seconds'],
  ['_bytes', 'bytes'],
]

const unitOf = (name: string): string => UNITS.find(([suffix]) => name.endsWith(suffix))?.[1] ?? ''

const PAGE = `# Metrics

With \`METRICS_PORT\`, the service serves \`/metrics\` in the Prometheus text format, without a key, on \`METRICS_HOST\` (default: only this machine).
The values describe one process, unless the meaning says otherwise. Counting takes 1.5 µs per request and 1.2 µs per storage call. All else is
collected at the scrape, which waits up to 2 s for the store. No label contains client-supplied text, so the number of series is bounded.

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
| \`route\` | the route template, such as \`/v1/pets/{petId}\`, or \`unmatched\` |
| \`method\` | a method of RFC 9110, \`PATCH\`, or \`_OTHER\`; empty if the request could not be parsed |
| \`code\` | an [error code](errors.md), such as \`rate_limited\`; \`connection_lost\`, with status 499, if the connection ended before the body was complete |
| \`operation\` | a function of a [port](ports.md), such as \`pets.add\`; for batches also \`commit\` of the embedded store |
| \`command\` | a MongoDB command, such as \`insert\`, or \`commit\` |
| \`pool\` | \`requests\`; \`counts\`, for exact counts; \`maintenance\`, for indexes and operators' commands |
| \`key_id\` | the id of a valid API key, as \`animal-store keys list\` shows it, or empty |

\`prom-client\` adds metrics of Node and the process, including:

${row('metric', 'meaning')}
${row('---', '---')}
${Object.entries(PROCESS_METRICS)
  .map(([name, meaning]) => row(`\`${name}\``, meaning))
  .join('\n')}

Database metrics exist for MongoDB; file, disk and backup metrics for the embedded store, whose only command is \`commit\`. The memory store has no commands or
batches.

In your own program, call \`loadMetrics\` from \`animal-store/http\`. Pass its \`storeObserver\` as \`observer\` in the store's settings, and the metrics to
\`startService\`. If you run your own server, call \`makeMetricsServer(metrics)\` and make its \`server\` listen.
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

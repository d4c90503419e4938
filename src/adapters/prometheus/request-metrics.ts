// Counts requests and their durations.
import type { RequestReport, StreamChange } from '../../ports/observer.js'
import { one } from './catalogue.js'
import { type Counter, counter, durations, type Histogram, madeOnce } from './histogram.js'

export type MeasuredRequest = Pick<
  RequestReport,
  'route' | 'method' | 'status' | 'code' | 'milliseconds' | 'isDeprecated' | 'keyId' | 'detail' | 'events'
>

/** Their series exist from the start: `increase()` would miss the first count of a new series. */
const FAILURES = ['internal_error', 'unavailable']

type ByCode = Map<string, Counter>

interface Series {
  readonly durations: Histogram
  readonly byStatus: Map<number, ByCode>
  /** Of a deprecated route: by the id of the API key. */
  readonly byKey: Map<string, Counter>
}

// nested maps: building a combined key would cost more than all other work here
const byMethod = (): Map<string, Series> => new Map()
const byCode = (): ByCode => new Map()
const series = (): Series => ({ durations: durations(), byStatus: new Map(), byKey: new Map() })
/** Of the feed: an alert counts its refusals, whose series exists from the start for the same reason. */
const feed = (): Map<string, Series> => {
  const refused = new Map([[503, new Map([['unavailable', counter()]])]])
  return new Map([['GET', { ...series(), byStatus: refused }]])
}

export const makeRequestMetrics = () => {
  const byRoute = new Map([['/v1/events', feed()]])
  const details = { shed: 0, replayed: 0 }
  const streams = { open: 0, events: 0 }

  const all = () =>
    [...byRoute].flatMap(([route, methods]) =>
      Array.from(methods, ([method, found]) => ({ labels: { route, method }, ...found })),
    )

  /** Without health probes: their 503 is a report, not a failed request. */
  const failuresOf = (code: string): number =>
    all()
      .filter(({ labels }) => !labels.route.startsWith('/health/'))
      .flatMap(({ byStatus }) => Array.from(byStatus.values(), (codes) => codes.get(code)?.count ?? 0))
      .reduce((sum, count) => sum + count, 0)

  return {
    responded: (request: MeasuredRequest): void => {
      const { route, method, status, code, milliseconds, isDeprecated, keyId, detail, events } = request
      const found = madeOnce(madeOnce(byRoute, route, byMethod), method, series)
      madeOnce(madeOnce(found.byStatus, status, byCode), code ?? '', counter).count += 1
      if (milliseconds !== undefined && events === undefined) found.durations.observe(milliseconds)
      if (isDeprecated) madeOnce(found.byKey, keyId ?? '', counter).count += 1
      if (detail !== undefined) details[detail] += 1
    },
    stream: ({ open, events }: StreamChange): void => {
      streams.open += open
      streams.events += events
    },
    read: () => ({
      animal_store_streams: one(streams.open),
      animal_store_stream_events_total: one(streams.events),
      http_requests_total: all().flatMap(({ labels, byStatus }) =>
        [...byStatus].flatMap(([status, codes]) =>
          Array.from(codes, ([code, { count }]) => ({
            labels: { ...labels, status: String(status), code },
            value: count,
          })),
        ),
      ),
      http_requests_failed_total: FAILURES.map((code) => ({ labels: { code }, value: failuresOf(code) })),
      http_request_duration_seconds: all().map(({ labels, durations }) => ({ labels, value: durations.read() })),
      http_requests_shed_total: one(details.shed),
      animal_store_replayed_creates_total: one(details.replayed),
      animal_store_deprecated_requests_total: all().flatMap(({ labels, byKey }) =>
        Array.from(byKey, ([key_id, { count }]) => ({ labels: { ...labels, key_id }, value: count })),
      ),
    }),
  }
}

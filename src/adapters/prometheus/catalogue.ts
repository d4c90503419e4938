// Every metric of the service: its type, labels and meaning. docs/metrics.md is written from this table, and a metric without
// a source does not compile.

export interface MetricRow {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly labels: readonly string[]
  /** For `# HELP` and the documentation; one line without backslashes. */
  readonly help: string
}

const METRICS = {
  http_requests_total: {
    type: 'counter',
    labels: ['route', 'method', 'status', 'code'],
    help: 'Answered requests; code is that of the Error shape, or empty',
  },
  http_request_duration_seconds: {
    type: 'histogram',
    labels: ['route', 'method'],
    help: 'Time from the headers of a request to its response, without requests whose headers were refused',
  },
  http_requests_in_flight: { type: 'gauge', labels: [], help: 'Requests that are not answered yet' },
  http_connections: { type: 'gauge', labels: [], help: 'Open connections of clients' },
  http_connections_refused_total: {
    type: 'counter',
    labels: [],
    help: 'Connections closed at once because MAX_CONNECTIONS others were open',
  },
  animal_store_streams: { type: 'gauge', labels: [], help: 'Open streams of events' },
  animal_store_stream_events_total: { type: 'counter', labels: [], help: 'Events sent on streams, once per listener' },
  http_requests_shed_total: {
    type: 'counter',
    labels: [],
    help: 'Requests refused with 503 because MAX_IN_FLIGHT others were in flight, or too many bytes of responses unread',
  },
  animal_store_replayed_creates_total: {
    type: 'counter',
    labels: [],
    help: 'Retried creates that got the pet of the first request, by their Idempotency-Key',
  },
  animal_store_deprecated_requests_total: {
    type: 'counter',
    labels: ['route', 'method', 'key_id'],
    help: 'Requests for deprecated routes by the id of the API key, which is empty without a valid one',
  },
  animal_store_damaged_records_total: {
    type: 'counter',
    labels: ['record'],
    help: 'Damaged records, counted each time they are read',
  },
  animal_store_operation_duration_seconds: {
    type: 'histogram',
    labels: ['operation'],
    help: 'Time of a call of a storage port, with its wait for a batch and a connection',
  },
  animal_store_operation_failures_total: {
    type: 'counter',
    labels: ['operation'],
    help: 'Calls of a storage port that failed as unavailable',
  },
  animal_store_command_duration_seconds: {
    type: 'histogram',
    labels: ['command'],
    help: 'Time of a command of MongoDB, or of a commit of the embedded store',
  },
  animal_store_command_failures_total: {
    type: 'counter',
    labels: ['command'],
    help: 'Commands or commits that failed; a statement that the database refuses is not a failure of its command',
  },
  animal_store_batch_size: {
    type: 'histogram',
    labels: ['operation'],
    help: 'Calls that shared one command or commit',
  },
  animal_store_mongodb_writable: {
    type: 'gauge',
    labels: [],
    help: '1 while the driver knows a MongoDB server that takes writes, otherwise 0',
  },
  animal_store_mongodb_connections: {
    type: 'gauge',
    labels: ['pool', 'state'],
    help: 'Connections of a pool to MongoDB; state is in_use or idle',
  },
  animal_store_mongodb_waiting: {
    type: 'gauge',
    labels: ['pool'],
    help: 'Commands that wait for a connection of the pool',
  },
  animal_store_lmdb_file_bytes: { type: 'gauge', labels: [], help: 'Size of data.mdb, which never shrinks' },
  animal_store_lmdb_disk_available_bytes: {
    type: 'gauge',
    labels: [],
    help: 'Space that the service may still use on the file system of DATA_DIR',
  },
  animal_store_relay_backlog: {
    type: 'gauge',
    labels: [],
    help: 'Events that are not sent and not parked, with the unused ids between them; instances on one store report the same number',
  },
  animal_store_relay_oldest_age_seconds: {
    type: 'gauge',
    labels: [],
    help: 'Age of the oldest of these events, which is the lag of a broker or a webhook; 0 if there is none',
  },
  animal_store_relay_parked: {
    type: 'gauge',
    labels: [],
    help: 'Parked events; instances on one store report the same number',
  },
  animal_store_relay_position: {
    type: 'gauge',
    labels: [],
    help: 'The number up to which every event was sent or parked',
  },
  animal_store_log_head: { type: 'gauge', labels: [], help: 'No event of the store has a greater number' },
  animal_store_relay_read_failures_total: {
    type: 'counter',
    labels: [],
    help: 'Scrapes without the metrics above, because the store did not respond in time',
  },
  animal_store_relay_is_active: {
    type: 'gauge',
    labels: [],
    help: '1 while this instance publishes the events of its store, otherwise 0; absent without EVENTS_URL',
  },
  animal_store_broker_connected: {
    type: 'gauge',
    labels: [],
    help: '1 while this instance is connected to the broker, otherwise 0; absent without a broker, also with a webhook',
  },
  animal_store_events_published_total: {
    type: 'counter',
    labels: [],
    help: 'Events that this instance sent and the broker or the webhook acknowledged',
  },
  animal_store_events_failed_total: {
    type: 'counter',
    labels: [],
    help: 'Attempts of this instance to send an event that failed, refusals included',
  },
  animal_store_events_parked_total: { type: 'counter', labels: [], help: 'Events that this instance parked' },
  animal_store_event_delay_seconds: {
    type: 'histogram',
    labels: [],
    help: "Time from an event's creation to the acknowledgement of the broker or the webhook: the lag of what was sent",
  },
  animal_store_build_info: { type: 'gauge', labels: ['version', 'node'], help: 'Always 1' },
} as const satisfies Readonly<Record<string, MetricRow>>

type Metrics = typeof METRICS
export type MetricName = keyof Metrics

type Labels<N extends MetricName> = Readonly<Record<Metrics[N]['labels'][number], string>>

/** The numbers of a histogram at the scrape. */
export interface Distribution {
  readonly bounds: readonly number[]
  /** Values by the first bound that they do not exceed; one more entry than bounds. */
  readonly counts: readonly number[]
  readonly sum: number
}

export interface Sample<N extends MetricName> {
  readonly labels: Labels<N>
  readonly value: Metrics[N]['type'] extends 'histogram' ? Distribution : number
}

/** The only sample of a metric without labels. */
export const one = (value: number) => [{ labels: {}, value }] as const

/** The result of a scrape. */
export type Samples = { readonly [N in MetricName]: readonly Sample<N>[] }

const rows: Readonly<Record<MetricName, MetricRow>> = METRICS

export const rowOf = (name: MetricName): MetricRow => rows[name]

export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[]

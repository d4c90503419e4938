// Every metric of the service: its type, meaning and labels. docs/metrics.md is written from this table, and a metric without
// a source does not compile.

export interface MetricRow<T extends string = string, L extends string = string> {
  readonly type: T
  /** For `# HELP` and the documentation; one line without backslashes. */
  readonly help: string
  readonly labels: readonly L[]
}

const rowOfType =
  <const T extends 'counter' | 'gauge' | 'histogram'>(type: T) =>
  <L extends string = never>(help: string, ...labels: readonly L[]): MetricRow<T, L> => ({ type, help, labels })

const [counter, gauge, histogram] = [rowOfType('counter'), rowOfType('gauge'), rowOfType('histogram')]

const METRICS = {
  http_requests_total: counter(
    'Requests that got a response; code is that of the Error shape, or empty',
    'route',
    'method',
    'status',
    'code',
  ),
  http_requests_failed_total: counter(
    'Requests that got internal_error or unavailable, without health probes; both series exist from the start',
    'code',
  ),
  http_request_duration_seconds: histogram(
    'Time from the headers of a request to its response, without requests whose headers were refused',
    'route',
    'method',
  ),
  http_requests_in_flight: gauge('Requests without a response yet'),
  http_connections: gauge('Open connections of clients'),
  http_connections_refused_total: counter('Connections closed at once because MAX_CONNECTIONS others were open'),
  animal_store_streams: gauge('Open streams of events'),
  animal_store_stream_events_total: counter('Events sent on streams, once per listener'),
  http_requests_shed_total: counter(
    'Requests refused with 503 because MAX_IN_FLIGHT others were in flight, or too many bytes of responses unread',
  ),
  animal_store_replayed_creates_total: counter(
    'Retried creates that got the pet of the first request, by their Idempotency-Key',
  ),
  animal_store_deprecated_requests_total: counter(
    'Requests for deprecated routes by the id of the API key, which is empty without a valid one',
    'route',
    'method',
    'key_id',
  ),
  animal_store_damaged_records_total: counter('Damaged records, counted each time they are read', 'record'),
  animal_store_operation_duration_seconds: histogram(
    'Time of a call of a storage port, with its wait for a batch and a connection',
    'operation',
  ),
  animal_store_operation_failures_total: counter('Calls of a storage port that failed as unavailable', 'operation'),
  animal_store_command_duration_seconds: histogram(
    'Time of a command of MongoDB, or of a commit of the embedded store',
    'command',
  ),
  animal_store_command_failures_total: counter(
    'Commands or commits that failed; a statement that the database refuses is not a failure of its command',
    'command',
  ),
  animal_store_batch_size: histogram('Calls that shared one command or commit', 'operation'),
  animal_store_database_writable: gauge('1 while the driver knows a server of the database that takes writes, else 0'),
  animal_store_database_connections: gauge('Connections of a pool; state is in_use or idle', 'pool', 'state'),
  animal_store_database_waiting: gauge('Commands that wait for a connection of the pool', 'pool'),
  animal_store_data_file_bytes: gauge('Size of data.mdb, which never shrinks'),
  animal_store_data_file_free_bytes: gauge('Free pages within data.mdb, which later writes use before the file grows'),
  animal_store_disk_bytes: gauge('Size of the file system of DATA_DIR'),
  animal_store_disk_available_bytes: gauge('Space that the service may still use on the file system of DATA_DIR'),
  animal_store_backup_timestamp_seconds: gauge('Time of the last backup of the embedded store; 0 if there was none'),
  animal_store_api_keys_expiring: gauge(
    'Live API keys that expire within 7 days and were not rotated; instances on one store report the same number',
  ),
  animal_store_relay_backlog: gauge(
    'Events that are not sent and not parked, with the unused ids between them; instances on one store report the same number',
  ),
  animal_store_relay_oldest_age_seconds: gauge(
    'Age of the oldest of these events, which is the lag of a broker or a webhook; 0 if there is none',
  ),
  animal_store_relay_parked: gauge('Parked events; instances on one store report the same number'),
  animal_store_relay_position: gauge('The number up to which every event was sent or parked'),
  animal_store_log_head: gauge('No event of the store has a greater number'),
  animal_store_relay_read_failures_total: counter(
    'Scrapes without the metrics of the log, the relay and the API keys, because the store did not respond in time',
  ),
  animal_store_relay_is_active: gauge(
    '1 while this instance publishes the events of its store, otherwise 0; absent without EVENTS_URL',
  ),
  animal_store_broker_connected: gauge(
    '1 while this instance is connected to the broker, otherwise 0; absent without a broker, also with a webhook',
  ),
  animal_store_events_published_total: counter(
    'Events that this instance sent and the broker or the webhook acknowledged',
  ),
  animal_store_events_failed_total: counter(
    'Attempts of this instance to send an event that failed, refused ones included',
  ),
  animal_store_events_parked_total: counter('Events that this instance parked'),
  animal_store_event_delay_seconds: histogram(
    "Time from an event's creation to the acknowledgement of the broker or the webhook: the lag of what was sent",
  ),
  animal_store_build_info: gauge('Always 1', 'version', 'node'),
} as const satisfies Readonly<Record<string, MetricRow>>

type Metrics = typeof METRICS
export type MetricName = keyof Metrics

/** The numbers of a histogram at the scrape. */
export interface Distribution {
  readonly bounds: readonly number[]
  /** Values by the first bound that they do not exceed; one more entry than bounds. */
  readonly counts: readonly number[]
  readonly sum: number
}

interface Sample<N extends MetricName> {
  readonly labels: Readonly<Record<Metrics[N]['labels'][number], string>>
  readonly value: Metrics[N]['type'] extends 'histogram' ? Distribution : number
}

export type Samples = { readonly [N in MetricName]: readonly Sample<N>[] }

/** The only sample of a metric without labels; none if there is no value. */
export const one = <V>(value: V | undefined) => (value === undefined ? [] : [{ labels: {}, value }])

export const rowOf = (name: MetricName): MetricRow => METRICS[name]

export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[]

// Every metric of the service: type, meaning, labels and buckets. docs/metrics.md is generated from this table.
import type { Gauge, Registry } from 'prom-client'

export type PromClient = typeof import('prom-client')

interface Named {
  readonly name: string
  readonly registers: [Registry]
}

const counter = <L extends string = never>(help: string, ...labels: L[]) => ({
  type: 'counter',
  help,
  labels,
  make: ({ Counter }: PromClient, named: Named) => new Counter<L>({ ...named, help, labelNames: labels }),
})

const gauge = <L extends string = never>(help: string, ...labels: L[]) => ({
  type: 'gauge',
  help,
  labels,
  make: ({ Gauge }: PromClient, named: Named) => new Gauge<L>({ ...named, help, labelNames: labels }),
})

const histogram = <L extends string = never>(buckets: number[], help: string, ...labels: L[]) => ({
  type: 'histogram',
  help,
  labels,
  make: ({ Histogram }: PromClient, named: Named) => new Histogram<L>({ ...named, help, labelNames: labels, buckets }),
})

/** Up to the time limit of a request. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const UP_TO_AN_HOUR = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300, 3_600]
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024]

export const METRICS = {
  http_requests_total: counter('Responses; code is the error code, or empty', 'route', 'method', 'status', 'code'),
  http_requests_failed_total: counter('Requests that got internal_error or unavailable, except health probes', 'code'),
  http_request_duration_seconds: histogram(SECONDS, 'Time from the headers to the response', 'route', 'method'),
  http_requests_in_flight: gauge('Requests without a complete response yet, including open streams'),
  http_connections: gauge('Open client connections'),
  http_connections_refused_total: counter('Connections closed at once because MAX_CONNECTIONS others were open'),
  animal_store_streams: gauge('Open event streams'),
  animal_store_stream_events_total: counter('Events sent on streams, once per listener'),
  http_requests_shed_total: counter('Requests refused by MAX_IN_FLIGHT or for too many unread response bytes'),
  animal_store_replayed_creates_total: counter('Creates that got the pet of an earlier request, by Idempotency-Key'),
  animal_store_deprecated_requests_total: counter('Requests for deprecated routes', 'route', 'method', 'key_id'),
  animal_store_damaged_records_total: counter('Damaged records, counted on each read', 'record'),
  animal_store_operation_duration_seconds: histogram(SECONDS, 'Time of a storage call, including waits', 'operation'),
  animal_store_operation_failures_total: counter('Calls of a storage port that failed as unavailable', 'operation'),
  animal_store_command_duration_seconds: histogram(SECONDS, 'Time of a MongoDB command or an SQLite commit', 'command'),
  animal_store_command_failures_total: counter('Failed commands or commits, excluding refused statements', 'command'),
  animal_store_batch_size: histogram(SIZES, 'Calls that shared one command or commit', 'operation'),
  animal_store_database_writable: gauge('1 while the driver knows a writable database server, else 0'),
  animal_store_database_connections: gauge('Connections of a pool; state is in_use or idle', 'pool', 'state'),
  animal_store_database_waiting: gauge('Commands that wait for a pool connection', 'pool'),
  animal_store_data_file_bytes: gauge('Size of animal-store.db, which never shrinks'),
  animal_store_data_log_bytes: gauge('Size of animal-store.db-wal, the log of commits that may not be in the file yet'),
  animal_store_data_file_free_bytes: gauge('Free pages in animal-store.db, which later writes use before it grows'),
  animal_store_disk_bytes: gauge('Size of the file system that contains DATA_DIR'),
  animal_store_disk_available_bytes: gauge('Space still available to the service on the file system of DATA_DIR'),
  animal_store_backup_timestamp_seconds: gauge('Time of the last backup of the embedded store; 0 if none'),
  animal_store_api_keys_expiring: gauge('Live, unrotated API keys that expire within 7 days; same on all instances'),
  animal_store_relay_backlog: gauge('Events neither sent nor parked, and unused ids between; same on all instances'),
  animal_store_relay_oldest_age_seconds: gauge('Age of the oldest unsent event: the lag of the receiver; 0 if none'),
  animal_store_relay_parked: gauge('Parked events; same on all instances'),
  animal_store_relay_position: gauge('Every event up to this number was sent or parked'),
  animal_store_log_head: gauge('No event in the store has a higher number'),
  animal_store_relay_read_failures_total: counter(
    'Scrapes without log, relay and API key metrics: the store was too slow, or the relay record is damaged',
  ),
  animal_store_relay_is_active: gauge('1 while this instance publishes events, else 0; absent without EVENTS_URL'),
  animal_store_broker_connected: gauge('1 while connected to the broker, else 0; absent without a broker'),
  animal_store_events_published_total: counter('Events from this instance that the receiver acknowledged'),
  animal_store_events_failed_total: counter('Failed attempts of this instance to send an event, including refusals'),
  animal_store_event_delay_seconds: histogram(UP_TO_AN_HOUR, "Time from an event's creation to its acknowledgement"),
  animal_store_build_info: gauge('Always 1', 'version', 'node'),
}

type Metrics = typeof METRICS
export type MetricName = keyof Metrics

export type Instruments = { readonly [N in MetricName]: ReturnType<Metrics[N]['make']> }

export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[]

export const makeInstruments = (prom: PromClient, registry: Registry): Instruments =>
  Object.fromEntries(
    METRIC_NAMES.map((name) => [name, METRICS[name].make(prom, { name, registers: [registry] })]),
  ) as Instruments

/** A gauge without a value is absent from the scrape. */
export const show = (shown: Gauge, value: number | boolean | undefined): void => {
  if (value === undefined) shown.remove()
  else shown.set(Number(value))
}

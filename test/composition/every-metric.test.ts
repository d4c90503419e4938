// Everything that a metric counts moves it, in the unit of its name, and gauges fall again.
import * as O from 'fp-ts/lib/Option.js'
import { expect, it } from 'vitest'
import { nodeCrypto, systemClock } from '../../src/adapters/node/system.js'
import { METRIC_NAMES, type MetricName } from '../../src/adapters/prometheus/catalogue.js'
import { backupSqliteStore } from '../../src/adapters/sqlite/backup/backup.js'
import { VERSION } from '../../src/composition/service-log.js'
import { createApiKey } from '../../src/domain/api-keys/create-api-key.js'
import { range, succeed } from '../../src/testing/samples.js'
import { change } from '../adapters/sqlite/open-store.js'
import { SINCE_FIRST_MS, startHeld } from '../support/http/held-service.js'
import { listen } from '../support/http/listen.js'
import { launchSocket } from '../support/http/raw.js'
import { eventually } from '../support/runner/eventually.js'

/** Only the MongoDB driver reports these: test/adapters/mongodb/measurements.int.test.ts. */
type OfMongodb = Extract<MetricName, `animal_store_database_${string}`>

/** Exact, or a range. */
type Expected = number | readonly [least: number, greatest: number]

/** While work is held, and after it ends; `series` follows the metric name. */
type Row = readonly [during: Expected, after: Expected, series?: string]

const BODY = '{"name":"Rex","categoryId":7}'

it('the metrics of a service are each moved by what they count, in their unit, and show what is under way until its end', async () => {
  const begin = Date.now()
  const service = await startHeld()
  const { directory, store, away, listing, listed, published, read, call, url, authorization } = service
  const port = Number(new URL(url).port)
  await succeed(
    createApiKey({ ...store, clock: systemClock, crypto: nodeCrypto })({
      name: O.none,
      scopes: ['pets:read'],
      lifetimeMs: O.some(86_400_000),
    }),
  )
  change(directory, ({ exec }) => exec("CREATE TRIGGER no BEFORE INSERT ON pets BEGIN SELECT raise(FAIL, 'no'); END"))
  expect((await call('POST', '/pets', { body: BODY })).status).toBe(503)
  change(directory, ({ exec }) => exec('DROP TRIGGER no'))
  await succeed(backupSqliteStore(directory, `${directory}-copy`))
  const stream = await listen(url, authorization.Authorization.replace('Bearer ', ''))
  await stream.next()
  const create = { body: BODY, headers: { 'Idempotency-Key': 'one' } }
  for (const _ of [1, 2]) expect((await call('POST', '/pets', create)).status).toBe(201)
  await stream.nextEvent()
  await call('GET', '/pets/1')
  away.lists = true
  expect((await call('GET', '/pets')).status).toBe(503)
  away.lists = false
  const sockets = await Promise.all(range(1, 8).map(() => launchSocket(port)))
  await eventually(async () => expect((await read())['http_connections_refused_total']).toBeGreaterThan(0))
  for (const socket of sockets) socket.destroy()
  await eventually(async () => expect((await read())['http_connections']).toBeLessThan(5))

  const list = call('GET', '/pets')
  await listing.opened
  const entered = performance.now()
  expect((await call('GET', '/pets')).status).toBe(503)
  away.relay = true
  await read()
  away.relay = false
  const during = await read()
  const heldSeconds = (performance.now() - entered) / 1_000
  listed.open()
  expect((await list).status).toBe(200)
  stream.leave()
  published.open()
  // the position is saved a moment after the event was sent
  await eventually(async () =>
    expect(await read()).toMatchObject({ animal_store_relay_backlog: 0, http_requests_in_flight: 0 }),
  )
  const after = await read()

  const wholeSeconds = (Date.now() - begin) / 1_000
  const sinceFirst = (begin - SINCE_FIRST_MS) / 1_000
  const ofLists = 'route="/v1/pets",method="GET"'
  // refused lists take time, too
  const aList: Expected = [heldSeconds, wholeSeconds]
  const noList: Expected = [0, wholeSeconds]
  const some: Expected = [1, Number.POSITIVE_INFINITY]
  const commits: Expected = [0.000_1, wholeSeconds]
  const backup: Expected = [begin / 1_000 - 1, begin / 1_000 + wholeSeconds]
  const rows: Readonly<Record<Exclude<MetricName, OfMongodb>, Row>> = {
    http_requests_total: [0, 1, `{${ofLists},status="200",code=""}`],
    http_requests_failed_total: [3, 3, '{code="unavailable"}'],
    http_request_duration_seconds: [noList, aList, `_sum{${ofLists}}`],
    http_requests_in_flight: [2, 0],
    http_connections: [
      [2, 8],
      [0, 7],
    ],
    http_connections_refused_total: [some, some],
    animal_store_streams: [1, 0],
    animal_store_stream_events_total: [1, 1],
    http_requests_shed_total: [1, 1],
    animal_store_replayed_creates_total: [1, 1],
    animal_store_deprecated_requests_total: [1, 1, `{route="/v1/pets/{petId}",method="GET",key_id="${service.keyId}"}`],
    animal_store_damaged_records_total: [some, some, '{record="pet"}'],
    animal_store_operation_duration_seconds: [noList, aList, '_sum{operation="pets.findPage"}'],
    animal_store_operation_failures_total: [1, 1, '{operation="pets.findPage"}'],
    animal_store_command_duration_seconds: [commits, commits, '_sum{command="commit"}'],
    animal_store_command_failures_total: [some, some, '{command="commit"}'],
    animal_store_batch_size: [some, some, '_sum{operation="commit"}'],
    animal_store_data_file_bytes: [some, some],
    animal_store_data_log_bytes: [some, some],
    animal_store_data_file_free_bytes: [0, 0],
    animal_store_disk_bytes: [some, some],
    animal_store_disk_available_bytes: [some, some],
    animal_store_backup_timestamp_seconds: [backup, backup],
    animal_store_api_keys_expiring: [1, 1],
    // includes the id that the refused create used up
    animal_store_relay_backlog: [4, 0],
    animal_store_relay_oldest_age_seconds: [[sinceFirst, sinceFirst + wholeSeconds], 0],
    animal_store_relay_parked: [0, 1],
    animal_store_relay_position: [0, 4],
    animal_store_log_head: [4, 4],
    animal_store_relay_read_failures_total: [1, 1],
    animal_store_relay_is_active: [1, 1],
    animal_store_broker_connected: [1, 1],
    animal_store_events_published_total: [0, 2],
    animal_store_events_failed_total: [0, 1],
    animal_store_event_delay_seconds: [0, [sinceFirst, sinceFirst + 2 * wholeSeconds], '_sum'],
    animal_store_build_info: [1, 1, `{version="${VERSION}",node="${process.versions.node}"}`],
  }
  const ours = METRIC_NAMES.filter((name) => !name.startsWith('animal_store_database_'))
  expect(Object.keys(rows).toSorted()).toStrictEqual(ours.toSorted())
  const wrong = Object.entries(rows).flatMap(([name, [held, ended, series = '']]) =>
    (
      [
        [during, held],
        [after, ended],
      ] as const
    ).flatMap(([found, expected]) => {
      const [least, greatest] = typeof expected === 'number' ? [expected, expected] : expected
      // the series of a route appears with its first response
      const value = found[name + series] ?? 0
      const isRight = value >= least && value <= greatest
      return isRight
        ? []
        : [`${name} is ${value}, wanted ${least} to ${greatest}${found === during ? ', while held' : ''}`]
    }),
  )
  expect(wrong).toStrictEqual([])
})

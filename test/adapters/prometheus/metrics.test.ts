// Edge cases of a scrape; test/composition/every-metric.test.ts covers each metric.
import { rm } from 'node:fs/promises'
import * as O from 'fp-ts/lib/Option.js'
import { expect, it, vi } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { loadMetrics } from '../../../src/adapters/prometheus/metrics.js'
import { instrumentStore } from '../../../src/composition/instrument-store.js'
import { anyApiKey, succeed } from '../../../src/testing/samples.js'
import { listReport } from '../../support/documents/request-report.js'
import { scrape } from '../../support/documents/scrape.js'
import { useFakeTimers } from '../../support/runner/fake-timers.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { openStoreIn } from '../sqlite/open-store.js'

it('counts failed requests in series that exist from the start, without health probes', async () => {
  const metrics = await loadMetrics()
  // the feed has its own alerts
  const ofFeed = 'http_requests_total{route="/v1/events",method="GET",status="503",code="unavailable"}'
  expect(await scrape(metrics)).toMatchObject({
    'http_requests_failed_total{code="internal_error"}': 0,
    'http_requests_failed_total{code="unavailable"}': 0,
    [ofFeed]: 0,
  })
  metrics.responded({ ...listReport, status: 500, code: 'internal_error' })
  for (const route of ['/v1/pets', '/v1/events', '/health/ready'])
    metrics.responded({ ...listReport, route, status: 503, code: 'unavailable' })
  expect(await scrape(metrics)).toMatchObject({
    'http_requests_failed_total{code="internal_error"}': 1,
    'http_requests_failed_total{code="unavailable"}': 2,
    [ofFeed]: 1,
  })
})

it('has no duration of a request that was not HTTP, nor of a stream, which lasts as long as its client wants', async () => {
  const metrics = await loadMetrics()
  metrics.responded({ ...listReport, route: 'unmatched', status: 400, code: 'bad_request', milliseconds: undefined })
  metrics.responded({ ...listReport, route: 'unmatched', events: 3 })
  const series = await scrape(metrics)
  expect(series).not.toHaveProperty(['http_request_duration_seconds_count{route="unmatched",method="GET"}'])
})

it('has a series for each function of the ports, and counts a defect as a failure that is left to the caller', async () => {
  const metrics = await loadMetrics()
  const ping = () => Promise.reject(new Error('defect'))
  const store = instrumentStore({ ...makeMemoryStore(), ping }, [metrics.operation])
  await expect(store.ping()).rejects.toThrow()
  await expect(metrics.publisher({ publish: () => ping }, { now: () => 0 }).publish([])()).rejects.toThrow()
  const { pets, ids, apiKeys, log, relay } = store
  const names = Object.entries({ pets, ids, apiKeys, log, relay }).flatMap(([port, functions]) =>
    Object.keys(functions ?? {}).flatMap((name) => (name === 'storage' ? [] : [`${port}.${name}`])),
  )
  expect(names.length).toBeGreaterThan(10)
  const series = await scrape(metrics)
  expect(series).toHaveProperty('animal_store_events_failed_total', 1)
  for (const [name, failures] of [...names.map((name) => [name, 0] as const), ['ping', 1] as const])
    expect(series).toHaveProperty([`animal_store_operation_failures_total{operation="${name}"}`], failures)
})

it('counts live keys that expire within a week and were not rotated', async () => {
  const metrics = await loadMetrics()
  const store = makeMemoryStore()
  metrics.watch({ store: { ...store, clock: { now: () => 1_000, monotonicMs: () => 0 } } })
  const week = 7 * 86_400_000
  const soon = { expiresAt: O.some(1_000 + week), revokedAt: O.none, successor: O.none }
  const keys = {
    soon,
    past: { ...soon, expiresAt: O.some(1_000) },
    later: { ...soon, expiresAt: O.some(1_001 + week) },
    never: { ...soon, expiresAt: O.none },
    revoked: { ...soon, revokedAt: O.some(900) },
    rotated: { ...soon, successor: O.some('next') },
  }
  for (const [id, members] of Object.entries(keys))
    await succeed(store.apiKeys.add({ ...anyApiKey, ...members, id, lineage: id }))
  expect(await scrape(metrics)).toHaveProperty('animal_store_api_keys_expiring', 1)
})

it('omits its numbers from a scrape if the store does not return them, and asks only once at a time', async () => {
  useFakeTimers()
  const metrics = await loadMetrics()
  const store = makeMemoryStore()
  const load = vi.fn(() => new Promise<never>(() => {}))
  const clock = { now: () => 0, monotonicMs: () => 0 }
  metrics.watch({ store: { ...store, relay: { ...store.relay, load }, clock } })
  for (const failures of [1, 2]) {
    const scraped = scrape(metrics)
    await vi.advanceTimersByTimeAsync(2_000)
    const series = await scraped
    expect(series).toHaveProperty('animal_store_relay_read_failures_total', failures)
    expect(series).not.toHaveProperty('animal_store_relay_backlog')
  }
  expect(load).toHaveBeenCalledOnce()
})

it('omits the sizes of an embedded store whose folder is gone', async () => {
  const metrics = await loadMetrics()
  const folder = await temporaryPath()
  await openStoreIn(folder, { observer: metrics.storeObserver })
  expect((await scrape(metrics))['animal_store_data_file_bytes']).toBeGreaterThan(0)
  await rm(folder, { recursive: true })
  expect(await scrape(metrics)).not.toHaveProperty('animal_store_data_file_bytes')
})

it('omits the connections of a database whose store no longer tells them', async () => {
  const metrics = await loadMetrics()
  const pools = [{ pool: 'requests', inUse: 1, idle: 2, waiting: 3 }]
  let isClosed = false
  metrics.storeObserver.watch([], () => {
    if (isClosed) throw new Error('closed')
    return { _tag: 'Pools', pools, isWritable: true }
  })
  const ofPool = async () => Object.keys(await scrape(metrics)).filter((series) => series.includes('pool="requests"'))
  expect(await ofPool()).toHaveLength(3)
  isClosed = true
  expect(await ofPool()).toEqual([])
})

// The reports of stores and relays, and the questions of a scrape.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it, vi } from 'vitest'
import { makeInProcessPublisher } from '../../../src/adapters/memory/event-publisher.js'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { nodeCrypto } from '../../../src/adapters/node/crypto.js'
import { DEFAULT_RELAY } from '../../../src/adapters/node/relay-loop.js'
import { makeMetrics } from '../../../src/adapters/prometheus/metrics.js'
import { aroundStore } from '../../../src/composition/around-store.js'
import { unavailable } from '../../../src/domain/errors.js'
import { relayEvents } from '../../../src/domain/events/relay-events.js'
import type { EventPublisher } from '../../../src/ports/event-publisher.js'
import type { StoreLevels } from '../../../src/ports/store-observer.js'
import { numbered, record } from '../../../src/testing/contracts/pet-samples.js'
import { fail, succeed } from '../../../src/testing/outcome.js'
import { scrape } from '../../support/documents/scrape.js'
import { useFakeTimers } from '../../support/runner/fake-timers.js'

const newMetrics = () => makeMetrics({ isServed: false })

describe('a measured store', () => {
  it('counts and times every call by its operation, and those that fail', async () => {
    const metrics = newMetrics()
    const store = makeMemoryStore({ isRelayed: false })
    const findById = () => async () => E.left(unavailable(new Error('away')))
    const measured = aroundStore({ ...store, pets: { ...store.pets, findById } }, metrics.operation)
    await succeed(measured.pets.add(record(numbered(1))))
    await succeed(measured.ids.next)
    await succeed(measured.ping)
    await fail(measured.pets.findById(1n))
    const series = await scrape(metrics)
    expect(series).toMatchObject({
      'animal_store_operation_duration_seconds_count{operation="pets.add"}': 1,
      'animal_store_operation_duration_seconds_count{operation="ids.next"}': 1,
      'animal_store_operation_duration_seconds_count{operation="ping"}': 1,
      'animal_store_operation_duration_seconds_count{operation="pets.findById"}': 1,
      'animal_store_operation_failures_total{operation="pets.findById"}': 1,
      'animal_store_operation_failures_total{operation="pets.add"}': 0,
      // before the first call
      'animal_store_operation_duration_seconds_count{operation="outbox.claim"}': 0,
    })
  })

  it('counts a defect as a failure, and leaves it to the caller', async () => {
    const metrics = newMetrics()
    const ping = () => Promise.reject(new Error('defect'))
    await expect(
      aroundStore({ ...makeMemoryStore({ isRelayed: false }), ping }, metrics.operation).ping(),
    ).rejects.toThrow()
    expect(await scrape(metrics)).toMatchObject({ 'animal_store_operation_failures_total{operation="ping"}': 1 })
  })

  it('has a series for each function of its ports', async () => {
    const metrics = newMetrics()
    const { pets, ids, apiKeys, outbox, ping } = aroundStore(makeMemoryStore({ isRelayed: false }), metrics.operation)
    const series = await scrape(metrics)
    const names = Object.entries({ pets, ids, apiKeys, outbox, ping }).flatMap(([port, functions]) =>
      typeof functions === 'function' ? [port] : Object.keys(functions).map((name) => `${port}.${name}`),
    )
    expect(names.length).toBeGreaterThan(10)
    for (const name of names) {
      expect(series).toHaveProperty([`animal_store_operation_failures_total{operation="${name}"}`], 0)
    }
  })
})

describe('an observed store', () => {
  it('reports commands, failures and batches', async () => {
    const metrics = newMetrics()
    metrics.storeObserver.command('insert', 4, false)
    metrics.storeObserver.command('insert', 40, true)
    metrics.storeObserver.batch('pets.add', 7)
    expect(await scrape(metrics)).toMatchObject({
      'animal_store_command_duration_seconds_bucket{le="0.005",command="insert"}': 1,
      'animal_store_command_duration_seconds_count{command="insert"}': 2,
      'animal_store_command_failures_total{command="insert"}': 1,
      'animal_store_batch_size_sum{operation="pets.add"}': 7,
      'animal_store_batch_size_bucket{le="8",operation="pets.add"}': 1,
      'animal_store_batch_size_bucket{le="4",operation="pets.add"}': 0,
    })
  })

  it.each<readonly [StoreLevels, Readonly<Record<string, number>>]>([
    [
      { _tag: 'Pools', pools: [{ pool: 'requests', inUse: 3, idle: 2, waiting: 1 }], isWritable: true },
      {
        animal_store_mongodb_writable: 1,
        'animal_store_mongodb_connections{pool="requests",state="in_use"}': 3,
        'animal_store_mongodb_connections{pool="requests",state="idle"}': 2,
        'animal_store_mongodb_waiting{pool="requests"}': 1,
      },
    ],
    [
      { _tag: 'File', fileBytes: 8_192, diskAvailableBytes: 100 },
      { animal_store_lmdb_file_bytes: 8_192, animal_store_lmdb_disk_available_bytes: 100 },
    ],
  ])('is asked for its levels at the scrape: %j', async (levels, expected) => {
    const metrics = newMetrics()
    metrics.storeObserver.watch(() => levels)
    expect(await scrape(metrics)).toMatchObject(expected)
  })

  it('keeps a scrape complete if it cannot read its levels', async () => {
    const metrics = newMetrics()
    metrics.storeObserver.watch(() => {
      throw new Error('the folder is gone')
    })
    const series = await scrape(metrics)
    expect(series).toHaveProperty('animal_store_events_published_total', 0)
    expect(series).not.toHaveProperty('animal_store_lmdb_file_bytes')
  })
})

describe('a measured relay', () => {
  const startRelay = async (publisher: EventPublisher) => {
    const metrics = newMetrics()
    const { pets, outbox } = makeMemoryStore({ isRelayed: true })
    let now = 10_000
    const clock = { now: () => now, monotonicMs: () => now }
    for (const id of [1, 2]) await succeed(pets.add(record(numbered(id), O.none, 4_000)))
    metrics.watchOutbox(outbox, clock)
    const ports = metrics.measureRelay({ outbox, publisher, clock })
    const pass = relayEvents({ ...ports, crypto: nodeCrypto })({ ...DEFAULT_RELAY, attemptsBeforeParking: 2 })
    const relay = async () => {
      await succeed(pass)
      now += 10_000
    }
    return { metrics, relay }
  }

  it('counts published events and their delay, and shows the backlog before', async () => {
    const { metrics, relay } = await startRelay(makeInProcessPublisher([]))
    expect(await scrape(metrics)).toMatchObject({
      animal_store_outbox_backlog: 2,
      animal_store_outbox_oldest_age_seconds: 6,
      animal_store_outbox_parked: 0,
      animal_store_events_published_total: 0,
    })
    await relay()
    expect(await scrape(metrics)).toMatchObject({
      animal_store_outbox_backlog: 0,
      animal_store_outbox_oldest_age_seconds: 0,
      animal_store_events_published_total: 2,
      animal_store_events_failed_total: 0,
      animal_store_event_delay_seconds_sum: 12,
      'animal_store_event_delay_seconds_bucket{le="5"}': 0,
      'animal_store_event_delay_seconds_bucket{le="10"}': 2,
    })
  })

  it('counts failed attempts and parked events', async () => {
    const poisoned = { _tag: 'Poisoned', reason: 'too large' } as const
    const { metrics, relay } = await startRelay({ publish: (events) => async () => events.map(() => poisoned) })
    await relay()
    expect(await scrape(metrics)).toMatchObject({
      animal_store_events_failed_total: 2,
      animal_store_events_parked_total: 0,
    })
    await relay()
    expect(await scrape(metrics)).toMatchObject({
      animal_store_events_failed_total: 4,
      animal_store_events_parked_total: 2,
      animal_store_events_published_total: 0,
      animal_store_outbox_parked: 2,
    })
  })

  it('omits its numbers from a scrape if the store does not return them, and asks only once at a time', async () => {
    useFakeTimers()
    const metrics = newMetrics()
    let reads = 0
    const backlog = () => {
      reads += 1
      return new Promise<never>(() => {})
    }
    metrics.watchOutbox({ backlog }, { now: () => 0, monotonicMs: () => 0 })
    for (const failures of [1, 2]) {
      const scraped = scrape(metrics)
      await vi.advanceTimersByTimeAsync(2_000)
      const series = await scraped
      expect(series).toHaveProperty('animal_store_outbox_read_failures_total', failures)
      expect(series).not.toHaveProperty('animal_store_outbox_backlog')
    }
    expect(reads).toBe(1)
  })
})

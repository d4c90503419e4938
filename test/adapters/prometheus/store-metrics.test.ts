// The reports of stores and relays, and the questions of a scrape.
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { loadMetrics } from '../../../src/adapters/prometheus/metrics.js'
import { instrumentStore } from '../../../src/composition/instrument-store.js'
import { unavailable } from '../../../src/domain/errors.js'
import type { StoreLevels } from '../../../src/ports/observer.js'
import { fail, numbered, record, succeed } from '../../../src/testing/samples.js'
import { scrape } from '../../support/documents/scrape.js'

describe('a measured store', () => {
  it('counts and times every call by its operation, and those that fail', async () => {
    const metrics = await loadMetrics()
    const store = makeMemoryStore()
    const findById = () => async () => E.left(unavailable(new Error('away')))
    const measured = instrumentStore({ ...store, pets: { ...store.pets, findById } }, [metrics.operation])
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
      'animal_store_operation_duration_seconds_count{operation="log.read"}': 0,
    })
  })

  it('counts a defect as a failure, and leaves it to the caller', async () => {
    const metrics = await loadMetrics()
    const ping = () => Promise.reject(new Error('defect'))
    await expect(instrumentStore({ ...makeMemoryStore(), ping }, [metrics.operation]).ping()).rejects.toThrow()
    expect(await scrape(metrics)).toMatchObject({ 'animal_store_operation_failures_total{operation="ping"}': 1 })
  })

  it('has a series for each function of its ports', async () => {
    const metrics = await loadMetrics()
    const { pets, ids, apiKeys, log, relay, ping } = instrumentStore(makeMemoryStore(), [metrics.operation])
    const series = await scrape(metrics)
    const names = Object.entries({ pets, ids, apiKeys, log, relay, ping }).flatMap(([port, functions]) =>
      typeof functions === 'function'
        ? [port]
        : Object.keys(functions ?? {}).flatMap((name) => (name === 'storage' ? [] : [`${port}.${name}`])),
    )
    expect(names.length).toBeGreaterThan(10)
    for (const name of names) {
      expect(series).toHaveProperty([`animal_store_operation_failures_total{operation="${name}"}`], 0)
    }
  })
})

describe('an observed store', () => {
  it('reports commands, failures and batches', async () => {
    const metrics = await loadMetrics()
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
        animal_store_database_writable: 1,
        'animal_store_database_connections{pool="requests",state="in_use"}': 3,
        'animal_store_database_connections{pool="requests",state="idle"}': 2,
        'animal_store_database_waiting{pool="requests"}': 1,
      },
    ],
    [
      {
        _tag: 'File',
        logBytes: 0,
        fileBytes: 8_192,
        freeBytes: 4_096,
        diskBytes: 1_000,
        diskAvailableBytes: 100,
        lastBackupMs: 1_500,
      },
      {
        animal_store_data_file_bytes: 8_192,
        animal_store_data_file_free_bytes: 4_096,
        animal_store_disk_bytes: 1_000,
        animal_store_disk_available_bytes: 100,
        animal_store_backup_timestamp_seconds: 1.5,
      },
    ],
  ])('is asked for its levels at the scrape: %j', async (levels, expected) => {
    const metrics = await loadMetrics()
    metrics.storeObserver.watch([], () => levels)
    expect(await scrape(metrics)).toMatchObject(expected)
  })

  it('keeps a scrape complete if it cannot read its levels', async () => {
    const metrics = await loadMetrics()
    metrics.storeObserver.watch(['commit'], () => {
      throw new Error('the folder is gone')
    })
    const series = await scrape(metrics)
    expect(series).toHaveProperty('animal_store_events_published_total', 0)
    expect(series).toMatchObject({ 'animal_store_command_failures_total{command="commit"}': 0 })
    expect(series).not.toHaveProperty('animal_store_data_file_bytes')
  })
})

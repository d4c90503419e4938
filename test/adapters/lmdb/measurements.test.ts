// The measurements of the embedded store.

import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as prom from 'prom-client'
import { expect, it } from 'vitest'
import { backupLmdbStore } from '../../../src/adapters/lmdb/backup.js'
import { makeMetrics } from '../../../src/adapters/prometheus/metrics.js'
import { unusedAfter } from '../../../src/domain/events/relay-record.js'
import { numbered, range, readAll, record, succeed } from '../../../src/testing/samples.js'
import { scrape } from '../../support/documents/scrape.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { openStoreIn } from './open-store.js'

const open = async () => {
  const path = await temporaryPath()
  const metrics = makeMetrics(prom)
  const store = await openStoreIn(path, { observer: metrics.storeObserver })
  const add = (id: bigint) => store.pets.add(record(numbered(id)))
  return { path, store, add, read: () => scrape(metrics) }
}

it('reports commits with their time and the writes that share one', async () => {
  const { add, read } = await open()
  await succeed(add(1n))
  const before = await read()
  await Promise.all([2n, 3n, 4n].map((id) => succeed(add(id))))
  const after = await read()
  const added = (name: string) => (after[name] ?? 0) - (before[name] ?? 0)
  expect(before['animal_store_command_duration_seconds_sum{command="commit"}']).toBeGreaterThan(0)
  expect(added('animal_store_batch_size_sum{operation="commit"}')).toBe(3)
  expect(added('animal_store_batch_size_count{operation="commit"}')).toBeLessThan(3)
  expect(added('animal_store_command_duration_seconds_count{command="commit"}')).toBe(
    added('animal_store_batch_size_count{operation="commit"}'),
  )
  expect(after['animal_store_command_failures_total{command="commit"}']).toBe(0)
})

it('reports the size of its file and the space on its disk, until the folder is gone', async () => {
  const { path, add, read } = await open()
  await succeed(add(1n))
  const series = await read()
  expect(series['animal_store_data_file_bytes']).toBe((await stat(join(path, 'data.mdb'))).size)
  expect(series['animal_store_disk_available_bytes']).toBeGreaterThan(0)
  expect(series['animal_store_disk_bytes']).toBeGreaterThan(series['animal_store_disk_available_bytes'] ?? 0)
  await rm(path, { recursive: true })
  expect(await read()).not.toHaveProperty('animal_store_data_file_bytes')
})

it('reports the free pages of its file, which a backup does not copy', async () => {
  const { path, store, read } = await open()
  const large = range(1, 300).map((id) => numbered(id, { name: 'x'.repeat(250), categoryId: 1n }))
  await Promise.all(large.map((pet) => succeed(store.pets.add(record(pet)))))
  const series = await read()
  const size = series['animal_store_data_file_bytes'] ?? Number.NaN
  const free = series['animal_store_data_file_free_bytes'] ?? Number.NaN
  expect(free).toBeGreaterThan(0)
  const { bytes } = await succeed(backupLmdbStore(path, `${path}-copy`))
  // the copy lacks the list of free pages
  expect(Math.abs(size - free - bytes)).toBeLessThanOrEqual(8 * 4_096)
})

it('reads its archive in parts of 500 records, so that other work waits for milliseconds', async () => {
  const { store, add } = await open()
  await Promise.all(range(1, 1_001).map((id) => succeed(add(BigInt(id)))))
  const pets: number[] = []
  for await (const batch of store.archive.read(0)) {
    const items = await succeed(async () => batch)
    pets.push(items.filter(({ _tag }) => _tag === 'Pet').length)
  }
  expect(pets.filter((count) => count > 0)).toStrictEqual([500, 500, 1])
})

it('reuses the pages of its file once its archive was read, to the end or not', async () => {
  const { store, add, read } = await open()
  await succeed(add(1n))
  for await (const batch of store.archive.read(0)) {
    await succeed(async () => batch)
    break
  }
  await readAll(store.archive)
  const bytes = async () => (await read())['animal_store_data_file_bytes'] ?? Number.NaN
  const before = await bytes()
  for (const version of range(1, 100)) await succeed(store.relay.save({ ...unusedAfter(0), version }))
  // a snapshot that stays open keeps the pages of each commit
  expect((await bytes()) - before).toBeLessThan(300_000)
})

it('reports when the last backup was made', async () => {
  const { path, read } = await open()
  const name = 'animal_store_backup_timestamp_seconds'
  expect(await read()).toHaveProperty(name, 0)
  const begin = Date.now() / 1_000 - 1
  await succeed(backupLmdbStore(path, `${path}-copy`))
  expect((await read())[name]).toBeGreaterThan(begin)
})

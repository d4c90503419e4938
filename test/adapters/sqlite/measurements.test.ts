// The measurements of the embedded store.

import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as O from 'fp-ts/lib/Option.js'
import { expect, it } from 'vitest'
import { loadMetrics } from '../../../src/adapters/prometheus/metrics.js'
import { backupSqliteStore } from '../../../src/adapters/sqlite/backup/backup.js'
import { ApiKey } from '../../../src/domain/api-keys/api-key.js'
import { anyApiKey, numbered, range, record, succeed } from '../../../src/testing/samples.js'
import { scrape } from '../../support/documents/scrape.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { change, openStoreIn } from './open-store.js'

const ended = { ...anyApiKey, revokedAt: O.some(7_000) }

const open = async () => {
  const path = await temporaryPath()
  const metrics = await loadMetrics()
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
  expect(series['animal_store_data_file_bytes']).toBe((await stat(join(path, 'animal-store.db'))).size)
  expect(series['animal_store_data_log_bytes']).toBe((await stat(join(path, 'animal-store.db-wal'))).size)
  expect(series['animal_store_disk_available_bytes']).toBeGreaterThan(0)
  expect(series['animal_store_disk_bytes']).toBeGreaterThan(series['animal_store_disk_available_bytes'] ?? 0)
  await rm(path, { recursive: true })
  expect(await read()).not.toHaveProperty('animal_store_data_file_bytes')
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

it('removes ended keys in parts of 500, so that creates do not wait for all of them', async () => {
  const { path, store, read } = await open()
  const { encode } = ApiKey
  const insert = (id: string) => `INSERT INTO api_keys VALUES ('${id}', '${JSON.stringify(encode({ ...ended, id }))}');`
  change(path, ({ exec }) =>
    exec(
      range(1, 1_001)
        .map((at) => insert(String(at).padStart(11, 'a')))
        .join(''),
    ),
  )
  await succeed(store.apiKeys.add(anyApiKey))
  const commits = async () => Number((await read())['animal_store_batch_size_count{operation="commit"}'])
  const before = await commits()
  expect(await succeed(store.apiKeys.removeEnded(8_000))).toBe(1_001)
  expect([(await commits()) - before, await succeed(store.apiKeys.list)]).toStrictEqual([3, [anyApiKey]])
})

it('reports when the last backup was made', async () => {
  const { path, read } = await open()
  const name = 'animal_store_backup_timestamp_seconds'
  expect(await read()).toHaveProperty(name, 0)
  const begin = Date.now() / 1_000 - 1
  await succeed(backupSqliteStore(path, `${path}-copy`))
  expect((await read())[name]).toBeGreaterThan(begin)
})

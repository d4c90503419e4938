import { copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import * as O from 'fp-ts/lib/Option.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { backupSqliteStore } from '../../../src/adapters/sqlite/backup/backup.js'
import type { Store } from '../../../src/ports/store.js'
import { addAll, anyApiKey, fail, held, idsOf, numbered, range, record, succeed } from '../../../src/testing/samples.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { openStoreIn } from './open-store.js'

describe('backupSqliteStore', () => {
  let folder: string
  let store: Store
  let path: string
  beforeEach(async () => {
    folder = await temporaryPath()
    path = join(dirname(folder), 'backup')
    store = await openStoreIn(folder)
  })

  /** A folder whose store is a copy of the backup. */
  const openCopy = async (): Promise<Store> => {
    const copy = await temporaryPath()
    await mkdir(copy)
    await copyFile(path, join(copy, 'animal-store.db'))
    return openStoreIn(copy)
  }
  const namesBeside = (): Promise<readonly string[]> => readdir(dirname(path))

  it('creates an independent store with the contents of the open one at that moment', async () => {
    const idempotency = held('a', 'k', 90_000)
    await succeed(store.apiKeys.add(anyApiKey))
    await succeed(store.pets.add(record(numbered(await succeed(store.ids.next)), idempotency)))
    await addAll(
      store.pets,
      range(2, 30).map((id) => numbered(id, { name: 'x'.repeat(250), categoryId: 1n, status: 'sold' })),
    )
    const relayed = { position: 0, retry: [], parked: [], hasSent: true, leaseMs: 1, version: 1 }
    await succeed(store.relay.save(relayed))
    const { bytes } = await succeed(backupSqliteStore(folder, path))
    expect(bytes).toBe((await stat(path)).size)
    await succeed(store.pets.add(record(numbered(31))))

    const copy = await openCopy()
    expect(await idsOf(copy.pets, { limit: 100 })).toStrictEqual(range(1, 30).reverse())
    expect(await idsOf(copy.pets, { limit: 100, status: O.some('sold') })).toStrictEqual(range(2, 30).reverse())
    expect(await succeed(copy.apiKeys.list)).toStrictEqual([anyApiKey])
    expect(await succeed(copy.relay.load)).toStrictEqual(O.some(relayed))
    expect(await succeed(copy.pets.findByIdempotencyKey({ lineage: 'a', key: 'k' }, 1_000))).toStrictEqual(
      O.some(numbered(1)),
    )
    expect(await succeed(copy.ids.next)).toBe(31n)
    expect(await idsOf(store.pets, { limit: 1 })).toStrictEqual([31])
  })

  it('creates one private file, and leaves nothing else behind', async () => {
    await succeed(backupSqliteStore(relative('.', folder), relative('.', path)))
    expect(await namesBeside()).toStrictEqual(['backup', 'data'])
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it.each<readonly [string, () => Promise<readonly [from: string, to: string]>, string]>([
    ['a path that is a folder', async () => [folder, folder], 'FOLDER exists already'],
    [
      'a path that is a file',
      async () => {
        await writeFile(path, 'mine')
        return [folder, path]
      },
      'BACKUP exists already',
    ],
    ['a path without a parent folder', async () => [folder, join(path, 'deep')], 'the folder BACKUP does not exist'],
  ])('refuses %s, and changes nothing', async (_, make, reason) => {
    const paths = await make()
    const before = await namesBeside()
    const { cause } = await fail(backupSqliteStore(...paths))
    expect(String(cause).replace(folder, 'FOLDER').replace(path, 'BACKUP')).toBe(`Error: ${reason}`)
    expect(await namesBeside()).toStrictEqual(before)
  })

  it('leaves nothing behind if it fails half-way', async () => {
    const other = join(folder, 'other')
    await mkdir(other)
    await writeFile(join(other, 'animal-store.db'), 'x'.repeat(8_192))
    for (const _again of [1, 2]) await fail(backupSqliteStore(other, path))
    expect(await namesBeside()).toStrictEqual(['data'])
  })
})

import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { backupLmdbStore, identify, restoreLmdbStore } from '../../../src/adapters/lmdb/backup.js'
import { openLmdbStore } from '../../../src/adapters/lmdb/store.js'
import { fail, idsOf, numbered, record, succeed } from '../../../src/testing/samples.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { openStoreIn, writeTables } from './open-store.js'

describe('restoreLmdbStore', () => {
  let folder: string
  let backup: string
  beforeEach(async () => {
    folder = await temporaryPath()
    backup = `${folder}-backup`
    const store = await openStoreIn(folder)
    await succeed(store.pets.add(record(numbered(1))))
    await store.close()
    await succeed(backupLmdbStore(folder, backup))
  })

  const restore = () => restoreLmdbStore(backup, folder, 7n, join(folder, 'replaced'))

  const expectRestored = async () => {
    const store = await openStoreIn(folder)
    expect(await idsOf(store.pets, { limit: 9 })).toStrictEqual([1])
    expect(await succeed(store.ids.next)).toBe(8n)
  }

  it('restores to a folder that is gone, and says that there was no store', async () => {
    await rm(folder, { recursive: true })
    expect(await succeed(restore())).toBe(false)
    expect((await readdir(folder)).toSorted()).toStrictEqual(['data.mdb', 'format'])
    await expectRestored()
  })

  it('goes on after a crash between its renames, before which no start makes a new store', async () => {
    await rename(join(folder, 'data.mdb'), join(folder, 'gone'))
    const settings = { directory: folder, checksDataFile: true, reportDamage: () => {}, notify: () => {} }
    await fail(openLmdbStore(settings))
    await writeFile(join(folder, '.restoring'), 'left over')
    expect(await succeed(restore())).toBe(false)
    await expectRestored()
  })

  it('refuses while a process uses the store, and changes nothing', async () => {
    await openStoreIn(folder)
    const before = (await readdir(folder)).toSorted()
    const { cause } = await fail(restore())
    expect(String(cause)).toContain('another process is using the folder: stop it first')
    expect((await readdir(folder)).toSorted()).toStrictEqual(before)
  })

  it('refuses a folder with files of others, unless the backup is among them', async () => {
    await rm(folder, { recursive: true })
    await mkdir(join(folder, 'backups'), { recursive: true })
    const { cause } = await fail(restore())
    expect(String(cause)).toContain('it holds other files and no store')
    expect(await readdir(folder)).toStrictEqual(['backups'])
    await rename(backup, join(folder, 'backup'))
    backup = join(folder, 'backup')
    expect(await succeed(restore())).toBe(false)
    await expectRestored()
  })

  it('changes nothing if the backup cannot be copied', async () => {
    await rm(backup, { recursive: true })
    await fail(restore())
    expect(await identify(folder)).toMatchObject({ lastId: '1' })
    expect(await readdir(folder)).not.toContain('replaced')
  })
})

describe('the identity of a store', () => {
  it('is kept by its backup, and names the last id', async () => {
    const folder = await temporaryPath()
    expect(await identify(folder)).toBeUndefined()
    const store = await openStoreIn(folder)
    await succeed(store.ids.next)
    const identity = { log: (await succeed(store.log.head)).logId, lastId: '1' }
    await store.close()
    expect(await identify(folder)).toStrictEqual(identity)
    await succeed(backupLmdbStore(folder, `${folder}-backup`))
    expect(await identify(`${folder}-backup`)).toStrictEqual(identity)
    await writeTables(folder, ({ meta }) => meta.putSync('counter', Buffer.from('x')))
    await expect(identify(folder)).rejects.toThrow('the counter of ids is not a number')
  })
})

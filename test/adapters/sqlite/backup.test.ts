import { copyFileSync } from 'node:fs'
import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { backupSqliteStore } from '../../../src/adapters/sqlite/backup/backup.js'
import { restoreSqliteStore } from '../../../src/adapters/sqlite/backup/restore.js'
import { createWhole } from '../../../src/adapters/sqlite/file/new-file.js'
import { MAX_PET_ID } from '../../../src/domain/pets/pet.js'
import { addAll, fail, numbered, succeed } from '../../../src/testing/samples.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { openStoreIn } from './open-store.js'

const plain = (target: string) => ({ aside: join(target, 'replaced-1'), isForced: false })

describe('backupSqliteStore', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await temporaryPath()
    path = join(dirname(folder), 'backup')
    await openStoreIn(folder)
  })

  const namesBeside = (): Promise<readonly string[]> => readdir(dirname(path))

  it('creates one private file, and leaves nothing else behind', async () => {
    await succeed(backupSqliteStore(relative('.', folder), relative('.', path)))
    expect(await namesBeside()).toStrictEqual(['backup', 'data'])
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('is private while it is written, too, and so is a draft that a killed process leaves', async () => {
    let mode: number | undefined
    await createWhole(path, async (draft) => {
      mode = (await stat(draft.path)).mode & 0o777
    })
    expect(mode).toBe(0o600)
  })

  it.each<readonly [string, () => Promise<readonly [from: string, to: string]>, string]>([
    [
      'a path that is a file',
      async () => {
        await writeFile(path, 'mine')
        return [folder, path]
      },
      'BACKUP exists already',
    ],
    [
      'a path that is a link to nothing',
      async () => {
        await symlink(join(folder, 'missing'), path)
        return [folder, path]
      },
      'BACKUP exists already',
    ],
    ['a path without a parent folder', async () => [folder, join(path, 'deep')], 'the folder BACKUP does not exist'],
  ])('refuses %s, and changes nothing', async (_, make, reason) => {
    const paths = await make()
    const before = await namesBeside()
    const { cause } = await fail(backupSqliteStore(...paths))
    expect(String(cause).replace(path, 'BACKUP')).toBe(`Error: ${reason}`)
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

it('restoreSqliteStore replaces no store that a process creates while it works', async () => {
  const folder = await temporaryPath()
  const backup = `${folder}-backup`
  await openStoreIn(folder)
  await succeed(backupSqliteStore(folder, backup))
  const target = `${folder}-target`
  await mkdir(target)
  // what another process does while the draft is verified
  const advance = () => copyFileSync(backup, join(target, 'animal-store.db'))
  const { cause } = await fail(restoreSqliteStore(backup, target, { ...plain(target), advance }))
  expect(String(cause)).toBe('Error: a process has created a store there meanwhile: stop it, and restore again')
  expect(await readdir(target)).toStrictEqual(['animal-store.db'])
})

it('restoreSqliteStore skips ids up to the last one that a pet may have: no import takes a last id beyond it', async () => {
  const folder = await temporaryPath()
  const [backup, target] = [`${folder}-backup`, `${folder}-target`]
  const { pets } = await openStoreIn(folder)
  await addAll(pets, [numbered(MAX_PET_ID - 2n)])
  await succeed(backupSqliteStore(folder, backup))
  const { lastId } = await succeed(restoreSqliteStore(backup, target, plain(target)))
  expect(lastId).toBe(MAX_PET_ID)
})

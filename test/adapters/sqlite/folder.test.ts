// Which folders are refused, with the exact reason, and what stays untouched.
import { once } from 'node:events'
import { chmod, copyFile, mkdir, readdir, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { beforeEach, describe, expect, it } from 'vitest'
import { verifyStore } from '../../../src/adapters/sqlite/backup/verify-store.js'
import { checkFileSystem } from '../../../src/adapters/sqlite/file/folder.js'
import type { Notice } from '../../../src/ports/notice.js'
import { numbered, record, succeed } from '../../../src/testing/samples.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { change, openStoreIn } from './open-store.js'

const HOLDER = `
  const { parentPort, workerData: { path, begun } } = require('node:worker_threads')
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite') ?? require('@photostructure/sqlite')
  const database = new DatabaseSync(path)
  database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE')
  parentPort.postMessage('locked')
  Atomics.wait(begun, 0, 0)
  // the main thread, which is blocked meanwhile, finds the lock in this time
  Atomics.wait(begun, 0, 1, 500)
  require('node:fs').renameSync(path + '-other', path)
  database.exec('COMMIT')
  database.close()`

describe('the folder of an embedded store', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await temporaryPath()
    path = join(folder, 'animal-store.db')
  })

  const refusal = async (): Promise<string> => {
    try {
      await openStoreIn(folder)
    } catch (error) {
      return String(error).replaceAll(folder, 'FOLDER')
    }
    throw new Error('expected a refusal')
  }

  it('is created with its parents, for its owner alone', async () => {
    folder = join(folder, 'deep', 'data')
    await openStoreIn(folder)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    expect((await readdir(folder)).sort()).toStrictEqual([
      'animal-store.db',
      'animal-store.db-shm',
      'animal-store.db-wal',
    ])
  })

  it.runIf(process.platform !== 'win32')('causes a warning if every user may look into it', async () => {
    await mkdir(folder)
    const notices: Notice[] = []
    const open = () => openStoreIn(folder, { notify: (notice) => notices.push(notice) })
    for (const mode of [0o770, 0o700]) {
      await chmod(folder, mode)
      await open()
    }
    expect(notices).toStrictEqual([])
    await chmod(folder, 0o755)
    await open()
    const reason = `it has mode 0755: chmod o-rwx ${folder}`
    expect(notices).toStrictEqual([
      { level: 'warn', message: `every user may look into ${folder}`, details: { reason } },
    ])
  })

  it.runIf(process.platform !== 'win32')('is refused if every user may replace its files', async () => {
    await mkdir(folder)
    await chmod(folder, 0o777)
    expect(await refusal()).toContain('it has mode 0777, so every user may replace its files: chmod o-rwx FOLDER')
    expect(await readdir(folder)).toStrictEqual([])
  })

  it.each<readonly [string, () => Promise<unknown>, string]>([
    [
      'with other files',
      () => writeFile(join(folder, 'notes.txt'), ''),
      'it holds other files and no store: name a new or an empty folder',
    ],
    ['with a file of another kind', () => writeFile(path, 'not a database'.repeat(100)), 'file is not a database'],
  ])('is refused %s, and left as it is', async (_, make, reason) => {
    await mkdir(folder, { recursive: true })
    await make()
    const before = await readdir(folder)
    expect(await refusal()).toBe(`Error: cannot open the store in FOLDER: ${reason}`)
    expect(await readdir(folder)).toStrictEqual(before)
  })

  it('is refused with a link to the database, and left as it is: the log is beside the file itself', async () => {
    await (await openStoreIn(folder)).close()
    const linked = await temporaryPath()
    await mkdir(linked)
    await symlink(path, join(linked, 'animal-store.db'))
    folder = linked
    const reason = 'FOLDER/animal-store.db is a symbolic link: set DATA_DIR to the folder of the file itself'
    expect(await refusal()).toBe(`Error: cannot open the store in FOLDER: ${reason}`)
    expect(await readdir(linked)).toStrictEqual(['animal-store.db'])
  })

  it.each<readonly [string, string, string]>([
    ['another program', 'PRAGMA application_id = 7', 'it is the database of another program'],
    [
      'a newer version',
      'PRAGMA user_version = 2',
      'it was written by a newer version, with schema 2; this version knows schema 1',
    ],
    ['nobody: the id of its log is lost', 'DELETE FROM store', 'the id of its log is missing'],
  ])('is refused with a database of %s', async (_, sql, reason) => {
    await (await openStoreIn(folder)).close()
    change(folder, ({ exec }) => exec(sql))
    expect(await refusal()).toBe(`Error: cannot open the store in FOLDER: ${reason}`)
  })

  it('is refused if its database is replaced while it is being opened, which could read only the former one', async () => {
    await (await openStoreIn(folder)).close()
    // a copy, because this process keeps the files of a closed store open for a while
    const source = path
    folder = await temporaryPath()
    path = join(folder, 'animal-store.db')
    await mkdir(folder)
    for (const copy of [path, `${path}-other`]) await copyFile(source, copy)
    // as `restore` in another process does, while the main thread waits for its lock
    const begun = new Int32Array(new SharedArrayBuffer(4))
    const holder = new Worker(HOLDER, { eval: true, workerData: { path, begun } })
    await once(holder, 'message')
    Atomics.store(begun, 0, 1)
    Atomics.notify(begun, 0)
    expect(await refusal()).toContain(': FOLDER/animal-store.db was replaced while it was being opened: start again')
    await once(holder, 'exit')
  })

  it.each([
    'last-backup',
    'replaced-2026-11-28T10-00-00-000Z',
    'animal-store.db',
    'animal-store.db-shm',
    'animal-store.db-journal',
  ])('is refused with nothing but %s (empty), as it is left by a store, and stays as it is', async (name) => {
    await mkdir(folder)
    await writeFile(join(folder, name), '')
    const reason = `FOLDER/animal-store.db is missing or empty, and ${name} is left of a store: restore a backup, or name another folder`
    expect(await refusal()).toBe(`Error: cannot open the store in FOLDER: ${reason}`)
    expect(await readdir(folder)).toStrictEqual([name])
  })

  it('is refused with a journal, which SQLite would play into the database', async () => {
    await (await openStoreIn(folder)).close()
    await writeFile(`${path}-journal`, 'x')
    expect(await refusal()).toContain(
      ': FOLDER/animal-store.db-journal is no part of a store, and SQLite would play it',
    )
    expect(() => verifyStore(path)).toThrow('-journal is no part of a store')
  })

  it('is refused with a log whose database is gone, and serves both again once it is back', async () => {
    const store = await openStoreIn(folder)
    await succeed(store.pets.add(record(numbered(1))))
    const copy = await temporaryPath()
    await mkdir(copy, { recursive: true })
    for (const name of ['animal-store.db', 'animal-store.db-wal']) await copyFile(join(folder, name), join(copy, name))
    await store.close()
    folder = copy
    await rename(join(copy, 'animal-store.db'), join(copy, 'replaced-db'))
    expect(await refusal()).toContain(
      'FOLDER/animal-store.db is missing or empty, and FOLDER/animal-store.db-wal is not: restore a backup',
    )
    await rename(join(copy, 'replaced-db'), join(copy, 'animal-store.db'))
    expect((await succeed((await openStoreIn(copy)).pets.findById(1n)))._tag).toBe('Some')
  })
})

it.each([
  [0x6969, 'NFS'],
  [0xff534d42 - 2 ** 32, 'SMB'],
])('a file system of type %i is refused: it is %s', (type, name) => {
  const reason = `it is on ${name}, a network file system, on which SQLite may lose data; use a local disk, or MongoDB`
  expect(() => checkFileSystem(type, 'linux')).toThrow(reason)
  expect(() => checkFileSystem(type, 'darwin')).not.toThrow()
  expect(() => checkFileSystem(0xef53, 'linux')).not.toThrow()
})

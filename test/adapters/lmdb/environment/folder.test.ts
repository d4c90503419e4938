import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, readlink, rm, rmdir, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { ALL_PETS } from '../../../../src/domain/pets/pet-query.js'
import type { Store } from '../../../../src/ports/store.js'
import { numbered, record, succeed } from '../../../../src/testing/samples.js'
import { temporaryPath } from '../../../support/runner/temporary-folder.js'
import { openStoreIn } from '../open-store.js'

const PETS = 200

const open = (directory: string): Promise<Store> => openStoreIn(directory)

const addPet = async (store: Store): Promise<bigint> => {
  const id = await succeed(store.ids.next)
  await succeed(store.pets.add(record(numbered(id))))
  return id
}

/** Name and hash of each file except the lock, which every opening writes to. */
const fingerprint = async (directory: string): Promise<readonly string[]> => {
  const names = (await readdir(directory)).filter((name) => name !== 'lock.mdb').sort()
  const contents = await Promise.all(names.map((name) => readFile(join(directory, name))))
  return names.map(
    (name, at) =>
      `${name} ${createHash('sha256')
        .update(contents[at] ?? '')
        .digest('hex')}`,
  )
}

/** What this process has open. */
const openPaths = async (): Promise<readonly string[]> =>
  Promise.all((await readdir('/proc/self/fd')).map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')))

const writeAt = async (path: string, position: number, byte: number): Promise<void> => {
  const bytes = await readFile(path)
  bytes[position] = byte
  await writeFile(path, bytes)
}

describe('openLmdbStore', () => {
  let folder: string
  beforeEach(async () => {
    folder = await temporaryPath()
  })

  const file = (name: string): string => join(folder, name)
  const used = async (): Promise<void> => {
    const store = await open(folder)
    await Promise.all(Array.from({ length: PETS }, () => addPet(store)))
    await store.close()
  }

  it('creates a missing folder, accessible only to its owner', async () => {
    await (await open(folder)).close()
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  it('makes its files private, whatever the mode of the folder', async () => {
    await mkdir(folder, { mode: 0o755 })
    await used()
    const names = await readdir(folder)
    expect(names.sort()).toStrictEqual(['data.mdb', 'format', 'lock.mdb'])
    for (const name of names) expect([name, (await stat(file(name))).mode & 0o777]).toStrictEqual([name, 0o600])
  })

  it('creates missing parent folders too', async () => {
    const directory = join(folder, 'a', 'b')
    await (await open(directory)).close()
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
  })

  it.runIf(process.platform === 'linux')('gives up if no folder can be created', async () => {
    await expect(open('/proc/animal-store')).rejects.toThrow('cannot open the store in /proc/animal-store: ENOENT')
  })

  it('finds all data again after it was closed', async () => {
    await used()
    const store = await open(folder)
    expect(await succeed(store.pets.count(ALL_PETS))).toBe(PETS)
    expect(await addPet(store)).toBe(BigInt(PETS + 1))
  })

  it('uses a folder whose first process ended before it wrote anything', async () => {
    await mkdir(folder)
    await writeFile(file('data.mdb'), '')
    const store = await open(folder)
    expect(await addPet(store)).toBe(1n)
  })

  it.each<readonly [string, () => Promise<void>, string]>([
    [
      'of a newer version',
      () => writeFile(file('format'), 'animal-store 2\n'),
      'written by a newer version, in format 2',
    ],
    ['whose format record is damaged', () => writeFile(file('format'), '\0\0'), 'its file format is damaged'],
    [
      'whose data file is garbage',
      () => writeFile(file('data.mdb'), Buffer.alloc(100_000, 'A')),
      'the data file is not an LMDB file',
    ],
    [
      'whose data file is all zeros',
      () => writeFile(file('data.mdb'), Buffer.alloc(100_000)),
      'the data file is not an LMDB file',
    ],
    ['whose data file is empty', () => truncate(file('data.mdb')), 'its data file is missing or empty'],
    ['whose data file is cut within its header', () => truncate(file('data.mdb'), 100), 'the data file is truncated'],
    [
      'whose data file is cut in half',
      async () => truncate(file('data.mdb'), (await stat(file('data.mdb'))).size >> 1),
      'the data file is truncated',
    ],
    [
      'whose data file has another format',
      () => writeAt(file('data.mdb'), 28, 3),
      'the data file has LMDB format 3, not 2',
    ],
    ['whose data file is missing', () => rm(file('data.mdb')), 'its data file is missing or empty'],
  ])('refuses a folder %s, and does not change it', async (_, damage, reason) => {
    await used()
    await damage()
    const before = await fingerprint(folder)
    await expect(open(folder)).rejects.toThrow(`cannot open the store in ${folder}`)
    await expect(open(folder)).rejects.toThrow(reason)
    expect(await fingerprint(folder)).toStrictEqual(before)
  })

  it('refuses a folder with files of others, such as /etc, and changes nothing in it', async () => {
    await mkdir(folder)
    // what /etc and a new file system also have
    await writeFile(join(folder, '.pwd.lock'), '')
    await mkdir(join(folder, 'lost+found'))
    await writeFile(join(folder, 'hosts'), '')
    await expect(open(folder)).rejects.toThrow('it holds other files and no store: name a new or an empty folder')
    expect(await readdir(folder)).toStrictEqual(['.pwd.lock', 'hosts', 'lost+found'])
    await rm(join(folder, 'hosts'))
    await addPet(await open(folder))
  })

  it.runIf(process.platform === 'linux')('leaves no file and no socket open once it is closed', async () => {
    const before = await openPaths()
    for (const _ of [1, 2]) await (await open(folder)).close()
    const left = async () => (await openPaths()).filter((path) => /^socket:|data/.test(path) && !before.includes(path))
    await expect.poll(left).toStrictEqual([])
  })

  it('is open no more if its format cannot be recorded, and opens once it can', async () => {
    const draft = join(folder, `format.${process.pid}`)
    await mkdir(draft, { recursive: true })
    await expect(open(folder)).rejects.toThrow('cannot open the store')
    expect((await openPaths()).filter((path) => path.startsWith(folder))).toStrictEqual([])
    await rmdir(draft)
    await open(folder)
  })

  it('refuses a file in place of the folder', async () => {
    await writeFile(folder, 'not a folder')
    await expect(open(folder)).rejects.toThrow(`cannot open the store in ${folder}`)
  })

  it.each([
    ['a folder that it may not write to', 0o500, ''],
    ['a folder below one that it may not write to', 0o500, 'new/folder'],
    ['a folder that it may not enter', 0o600, ''],
    ['a folder below one that it may not enter', 0o600, 'new'],
  ])('refuses %s, and names the user and the owner', async (_, mode, below) => {
    await used()
    await chmod(dirname(folder), 0o755)
    await chmod(folder, mode)
    // so that a user other than root can remove it
    onTestFinished(() => chmod(folder, 0o700))
    const before = await fingerprint(folder)
    const script = new URL('open-unprivileged.ts', import.meta.url).pathname
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script, join(folder, below)])
    const { uid, gid } = await stat(folder)
    // root becomes another user for this test, in the group that it had
    const user = `user ${uid === 0 ? 65_534 : uid} of group ${process.getegid?.()}`
    const owner = `user ${uid} and group ${gid} with mode 0${mode.toString(8)}`
    expect(stdout).toBe(
      `cannot open the store in ${join(folder, below)}: EACCES: ${user} has no access to ${folder}, which belongs to ${owner}`,
    )
    expect(await fingerprint(folder)).toStrictEqual(before)
  })
})

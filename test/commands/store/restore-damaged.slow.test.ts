// Restores over a store in every state that the worst day leaves.
import { randomFillSync } from 'node:crypto'
import { cp, lstat, mkdir, mkdtemp, open, readdir, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../../../src/adapters/sqlite/file/connection.js'
import { damagePage, PAGE_BYTES } from '../../adapters/sqlite/open-store.js'
import { launchCli, SOURCES } from '../../support/processes/cli-process.js'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'

const RANDOM = randomFillSync(Buffer.alloc(PAGE_BYTES))
const ZERO = Buffer.alloc(PAGE_BYTES)

describe('animal-store restore', { timeout: 120_000 }, () => {
  let origin: string
  let backup: string
  let folder: string
  let path: string

  const run = async (...words: readonly string[]) => {
    const command = launchCli(SOURCES, { DATA_DIR: folder }, ...words)
    return { code: await command.exit, stdout: command.stdout(), stderr: command.stderr() }
  }

  const succeed = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await run(...words)
    expect([words, code, stderr]).toStrictEqual([words, 0, expect.any(String)])
    return JSON.parse(stdout) as Readonly<Record<string, unknown>>
  }

  beforeAll(async () => {
    origin = await mkdtemp(join(tmpdir(), 'animal-store-test-'))
    ;[folder, backup] = [join(origin, 'data'), join(origin, 'backup.db')]
    for (const words of [
      ['seed', '600'],
      ['backup', backup],
      ['seed', '100'],
    ])
      await succeed(...words, '--json')
    return () => rm(origin, { recursive: true })
  })

  beforeEach(async () => {
    folder = join(await temporaryFolder(), 'data')
    path = join(folder, 'animal-store.db')
    await cp(join(origin, 'data'), folder, { recursive: true })
  })

  const overwriteHalf = async (page: Buffer): Promise<void> => {
    const { size } = await stat(path)
    const file = await open(path, 'r+')
    for (let at = Math.ceil(size / 2 / PAGE_BYTES) * PAGE_BYTES; at < size; at += PAGE_BYTES)
      await file.write(page, 0, PAGE_BYTES, at)
    await file.close()
  }

  const overwriteAt = async (at: number): Promise<void> => {
    const file = await open(path, 'r+')
    await file.write(RANDOM, 0, PAGE_BYTES, at)
    await file.close()
  }

  const lastPage = async (): Promise<number> => (await stat(path)).size - PAGE_BYTES

  /** The journal of a transaction that was cut off: SQLite would undo it in whatever database lies beside it. */
  const leaveJournal = async (): Promise<void> => {
    const other = join(await temporaryFolder(), 'other.db')
    await cp(backup, other)
    const connection = connect(other, { readOnly: false })
    connection.exec('PRAGMA cache_size = 5; BEGIN; DELETE FROM pets')
    await cp(`${other}-journal`, `${path}-journal`)
    connection.exec('ROLLBACK')
    connection.close()
    expect((await stat(`${path}-journal`)).size).toBeGreaterThan(PAGE_BYTES)
  }

  const change = (sql: string): void => {
    const connection = connect(path, { readOnly: false })
    connection.exec(sql)
    connection.close()
  }

  const moveTo = async (place: string): Promise<void> => {
    await cp(path, place)
    await rm(path)
  }

  it.each<readonly [string, () => unknown]>([
    ['that is half random', () => overwriteHalf(RANDOM)],
    ['that is half zero', () => overwriteHalf(ZERO)],
    ['without its last half', async () => truncate(path, (await stat(path)).size / 2)],
    ['without its last byte', async () => truncate(path, (await stat(path)).size - 1)],
    ['with a random header', () => overwriteAt(0)],
    ['with a random last page', async () => overwriteAt(await lastPage())],
    ...['store', 'pets', 'counts', 'api_keys', 'pets_by_status'].flatMap((name) => [
      [`with a random page of ${name}`, () => damagePage(path, name, RANDOM)] as const,
      [`with a page of zeros in ${name}`, () => damagePage(path, name, ZERO)] as const,
    ]),
    ['of no bytes', () => truncate(path, 0)],
    ['that is a text', () => writeFile(path, 'not a database'.repeat(1_000))],
    ['that is missing', () => rm(path)],
    ['that is missing with its folder', () => rm(folder, { recursive: true })],
    ['that is missing beside its log', async () => moveTo(`${path}-wal`)],
    ['that is a folder', async () => rm(path).then(() => mkdir(path))],
    ['beside a random log', () => writeFile(`${path}-wal`, RANDOM)],
    ['beside a random index', () => writeFile(`${path}-shm`, RANDOM)],
    ['beside the journal of another database', leaveJournal],
    ['beside a random journal', () => writeFile(`${path}-journal`, RANDOM)],
    ['without a table', () => change('DROP TABLE store')],
    ['without a row of its own', () => change('DELETE FROM store')],
  ])('replaces a database %s, and uses no id again', async (_, damage) => {
    await damage()
    const { lastId } = await succeed('restore', backup, '--json')
    expect(lastId).toBeGreaterThanOrEqual(700)
    expect(await succeed('verify', folder, '--json')).toMatchObject({ pets: 600, damaged: 0 })
    await succeed('seed', '1', '--json')
    expect(await succeed('verify', folder, '--json')).toMatchObject({ pets: 601, damaged: 0 })
    const left = (await readdir(folder)).filter((name) => !/^(animal-store\.db(-wal|-shm)?|replaced-.*)$/.test(name))
    expect(left.filter((name) => name !== 'last-backup')).toStrictEqual([])
  })

  it.each<readonly [string, () => unknown, string]>([
    ['of a newer version', () => change('PRAGMA user_version = 2'), 'it was written by a newer version, with schema 2'],
    ['of another program', () => change('PRAGMA application_id = 7'), 'it is the database of another program'],
    [
      'behind a symbolic link',
      async () => {
        await moveTo(join(folder, '..', 'elsewhere.db'))
        await symlink('../elsewhere.db', path)
      },
      'is a symbolic link',
    ],
    ['behind a dangling link', async () => rm(path).then(() => symlink('nowhere', path)), 'is a symbolic link'],
  ])('refuses to replace a database %s, unless it is forced', async (_, make, reason) => {
    await make()
    const before = await readdir(folder)
    const { code, stderr } = await run('restore', backup)
    expect([code, stderr]).toStrictEqual([1, expect.stringContaining(reason)])
    // SQLite leaves an empty log beside the file that it has looked into
    expect(await readdir(folder)).toStrictEqual(expect.arrayContaining(before))
    expect((await readdir(folder)).filter((name) => name.startsWith('replaced-'))).toStrictEqual([])
    await succeed('restore', backup, '--force', '--json')
    expect((await lstat(path)).isFile()).toBe(true)
    expect(await succeed('verify', folder, '--json')).toMatchObject({ pets: 600, damaged: 0 })
  })
})

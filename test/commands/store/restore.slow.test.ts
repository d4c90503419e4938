// Restore needs the store alone, and a process keeps the files of a closed store for a while: hence processes.
import { link, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../../../src/adapters/sqlite/file/connection.js'
import { filesOf } from '../../../src/adapters/sqlite/file/files.js'
import { petRecord, restoreInto } from '../../../src/testing/contracts/archive-samples.js'
import { addAll, idsOf, numbered, range, succeed } from '../../../src/testing/samples.js'
import { change, DAMAGED_NAME, damagePets, openStoreIn } from '../../adapters/sqlite/open-store.js'
import { SOURCES, startCli } from '../../support/processes/cli-process.js'
import { runCommand } from '../../support/processes/run-command.js'
import { filesReleased } from '../../support/runner/open-files.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'

describe('animal-store restore', { timeout: 60_000 }, () => {
  let folder: string
  let backup: string
  let isAlone: boolean
  beforeEach(async () => {
    isAlone = true
    folder = join(await temporaryPath(), 'data')
    backup = `${folder}-backup`
    await seed(3)
    expect(await runCommand({ DATA_DIR: folder }, 'backup', backup)).toMatchObject({ code: 0 })
  })

  const seed = async (count: number, DATA_DIR = folder) =>
    expect(await runCommand({ DATA_DIR }, 'seed', String(count))).toMatchObject({ code: 0 })

  const restore = async (...words: readonly string[]) => {
    if (isAlone) await filesReleased(folder)
    const command = startCli(SOURCES, { DATA_DIR: folder }, 'restore', ...words)
    return { code: await command.exit, stdout: command.stdout(), stderr: command.stderr() }
  }

  /** The ids of the pets, and the next one. */
  const ids = async (directory = folder) => {
    const store = await openStoreIn(directory)
    const found = [await idsOf(store.pets, { limit: 100 }), await succeed(store.ids.next)]
    await store.close()
    return found
  }

  const asides = async () => (await readdir(folder)).filter((name) => name.startsWith('replaced-'))

  it('replaces the store, keeps the former one, and gives out no id again [cmd-store]', async () => {
    const logIdIn = async () => {
      const store = await openStoreIn(folder)
      const { logId } = await succeed(store.log.head)
      await store.close()
      return logId
    }
    await seed(2)
    const logId = await logIdIn()
    const { code, stdout, stderr } = await restore(backup, '--json')
    expect(stderr).toContain('API keys that were revoked after the backup work again: see animal-store keys list\n')
    const [aside = ''] = await asides()
    expect([code, JSON.parse(stdout)]).toStrictEqual([0, { path: folder, replaced: join(folder, aside), lastId: 5 }])
    expect(await ids()).toStrictEqual([[3, 2, 1], 6n])
    expect(await ids(join(folder, aside))).toStrictEqual([[5, 4, 3, 2, 1], 6n])
    // so that positions in the former log are refused
    expect(await logIdIn()).not.toBe(logId)
  })

  it('skips a billion ids if another store has taken its place, because nobody knows which were given out', async () => {
    await rm(folder, { recursive: true })
    await seed(7)
    expect(await restore(backup)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^restored 3 pets to .* greater than 1000000007\nthe former store is in .*\n$/),
    })
    expect(await ids()).toStrictEqual([[3, 2, 1], 1_000_000_008n])
  })

  it('knows the store of a backup without pets by its log, and skips a billion ids in any other', async () => {
    const [origin, empty] = [`${folder}-origin`, `${folder}-empty`]
    expect(await runCommand({ DATA_DIR: origin }, 'keys', 'create')).toMatchObject({ code: 0 })
    expect(await runCommand({ DATA_DIR: origin }, 'backup', empty)).toMatchObject({ code: 0 })
    expect(await restore(empty)).toMatchObject({ code: 0 })
    expect(await ids()).toStrictEqual([[], 1_000_000_004n])
    folder = origin
    await seed(100)
    expect(await restore(empty)).toMatchObject({ code: 0 })
    expect(await ids()).toStrictEqual([[], 101n])
  })

  it('moves the log of a lost database aside: SQLite would write it into the restored one', async () => {
    const store = await openStoreIn(folder)
    await addAll(store.pets, [numbered(4)])
    const files = filesOf(join(folder, 'animal-store.db'))
    const [database, log] = files
    const bytes = await readFile(log)
    await store.close()
    await filesReleased(folder)
    for (const file of files) await rm(file, { force: true })
    await writeFile(log, bytes)
    expect(await runCommand({ DATA_DIR: folder }, 'keys', 'list')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${database} is missing or empty, and ${log} is not: restore a backup`),
    })
    expect(await restore(backup)).toMatchObject({ code: 0 })
    const [aside = ''] = await asides()
    expect(await readdir(join(folder, aside))).toStrictEqual(['animal-store.db-wal'])
    expect(await ids()).toStrictEqual([[3, 2, 1], 1_000_000_004n])
  })

  it('takes the store in another folder, and not the one that it would replace', async () => {
    const other = `${folder}-other`
    await seed(5, other)
    expect(await restore(other)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^restored 5 pets/) })
    const [linked, hardLink] = [`${folder}-link`, `${folder}-hard-link`]
    await symlink(folder, linked)
    await link(join(folder, 'animal-store.db'), hardLink)
    const itself = [folder, linked].map((path) => [path, join(path, 'animal-store.db')] as const)
    for (const [path, file] of [...itself, [hardLink, hardLink] as const]) {
      const stderr = expect.stringContaining(`nothing was restored: ${file} is the store itself\n`)
      expect(await restore(path)).toMatchObject({ code: 1, stdout: '', stderr })
    }
  })

  it('refuses a damaged backup, and changes nothing', async () => {
    const connection = connect(backup, { readOnly: false })
    connection.exec("UPDATE pets SET name = CAST(x'ff' AS TEXT) WHERE id = 2")
    connection.close()
    expect(await restore(backup)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('nothing was restored: '),
    })
    expect(await asides()).toStrictEqual([])
    expect(await ids()).toStrictEqual([[3, 2, 1], 4n])
  })

  it('fails while a process uses the store, and changes nothing', async () => {
    await openStoreIn(folder)
    isAlone = false
    expect(await restore(backup)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('the restore failed: a process is using the store: stop it first'),
    })
    expect(await asides()).toStrictEqual([])
  })
})

describe('animal-store verify', { timeout: 60_000 }, () => {
  let folder: string
  beforeEach(async () => {
    folder = await temporaryPath()
    const store = await openStoreIn(folder)
    await restoreInto(store.archive, ...range(1, 400).map((id) => petRecord(id)))
    await store.close()
  })

  const verify = async (...words: readonly string[]) => {
    const command = startCli(SOURCES, {}, 'verify', ...words)
    return { code: await command.exit, stdout: command.stdout(), stderr: command.stderr() }
  }

  it('reports no damage in a store that another process has open [cmd-store]', async () => {
    await openStoreIn(folder)
    expect(await verify(folder, '--json')).toStrictEqual({
      code: 0,
      stdout: `{"path":"${folder}","pets":400,"apiKeys":0,"idempotencyKeys":0,"damaged":0,"findings":[]}\n`,
      stderr: '',
    })
  })

  it('names damaged records, for people too', async () => {
    damagePets(folder, 7)
    expect(await verify(folder)).toStrictEqual({
      code: 1,
      stdout:
        `damaged pet 7: ${DAMAGED_NAME}\n` +
        `${folder} is damaged in 1 place: 400 pets, 0 API keys, 0 idempotency keys\n`,
      stderr: '',
    })
  })

  it('says that there is no store, or that it cannot read it', async () => {
    const other = join(folder, 'other')
    expect(await runCommand({}, 'verify', other)).toStrictEqual({
      code: 1,
      stdout: '',
      stderr: `there is no store in ${other}\n`,
    })
    change(folder, ({ exec }) => exec('PRAGMA user_version = 99'))
    expect(await verify(folder)).toStrictEqual({
      code: 1,
      stdout: '',
      stderr: `${folder} cannot be read: it was written by a newer version, with schema 99; this version knows schema 1\n`,
    })
  })
})

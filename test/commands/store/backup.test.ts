import { lstat, mkdir, readdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../../../src/adapters/sqlite/file/connection.js'
import { runCommand } from '../../support/processes/run-command.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'

describe('animal-store backup', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await temporaryPath()
    path = join(dirname(folder), 'backup')
  })

  const run = (...words: readonly string[]) => runCommand({ DATA_DIR: folder }, 'backup', ...words)

  it('creates a file, and prints its path and size', async () => {
    await runCommand({ DATA_DIR: folder }, 'seed', '3')
    const { code, stdout, stderr } = await run(path, '--json')
    expect([code, stderr]).toStrictEqual([0, ''])
    expect(JSON.parse(stdout)).toStrictEqual({ path, bytes: expect.any(Number) })
    expect(await runCommand({}, 'verify', path)).toMatchObject({ code: 0, stdout: expect.stringContaining('3 pets') })
    expect(await run(`${path}-2`)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^backed up to .*-2, \d+ bytes\n$/),
    })
  })

  it('records its time in place of a file that it cannot write, such as that of another user', async () => {
    await runCommand({ DATA_DIR: folder }, 'seed', '1')
    const recorded = join(folder, 'last-backup')
    await symlink(join(folder, 'missing', 'file'), recorded)
    expect(await run(path)).toMatchObject({ code: 0, stderr: '' })
    expect((await lstat(recorded)).isFile()).toBe(true)
    expect((await readdir(folder)).filter((name) => name.startsWith('last-backup'))).toStrictEqual(['last-backup'])
  })

  it('refuses a database that was copied without its log', async () => {
    const copy = `${folder}-copy`
    await mkdir(copy)
    const connection = connect(join(copy, 'animal-store.db'), { readOnly: false })
    connection.exec('PRAGMA journal_mode = WAL')
    connection.close()
    const { code, stderr } = await runCommand({ DATA_DIR: copy }, 'backup', path)
    expect([code, stderr]).toStrictEqual([1, expect.stringMatching(/has no tables, as if it was copied/)])
    expect(await readdir(dirname(path))).not.toContain('backup')
  })

  it('warns if the newest backup in the folder has more pets, as after the loss of a store', async () => {
    await runCommand({ DATA_DIR: folder }, 'seed', '3')
    await run(path)
    folder = `${folder}-new`
    await runCommand({ DATA_DIR: folder }, 'seed', '1')
    const { code, stderr } = await run(`${path}-2`)
    expect([code, stderr]).toStrictEqual([
      0,
      `warning: this backup has 1 pet, and ${path} has 3: is ${folder} the right store?\n`,
    ])
    expect((await run(`${path}-3`)).stderr).not.toContain('warning')
  })

  it('refuses a path that exists [cmd-store]', async () => {
    await runCommand({ DATA_DIR: folder }, 'seed', '1')
    expect(await run(folder, '--json')).toStrictEqual({
      code: 1,
      stdout: '',
      stderr: `no backup was made: ${folder} exists already\n`,
    })
  })
})

import { copyFile, lstat, mkdir, readdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openStoreIn } from '../../adapters/sqlite/open-store.js'
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
    const store = await openStoreIn(folder)
    const copy = `${folder}-copy`
    await mkdir(copy)
    await copyFile(join(folder, 'animal-store.db'), join(copy, 'animal-store.db'))
    await store.close()
    const { code, stderr } = await runCommand({ DATA_DIR: copy }, 'backup', path)
    expect([code, stderr]).toStrictEqual([1, expect.stringMatching(/has no tables, as if it was copied/)])
    expect(await readdir(dirname(path))).not.toContain('backup')
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

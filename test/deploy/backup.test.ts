// Scheduled backups: the script, and the files that call it.
import { execFile } from 'node:child_process'
import { open, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

const run = promisify(execFile)

describe('deploy/backup.sh', () => {
  let folder: string
  beforeEach(async () => {
    folder = await temporaryFolder()
    for (const [name, days] of [
      ['pets-old.db', 14.1],
      ['pets-new.db', 13.9],
      ['other', 99],
    ] as const) {
      await writeFile(join(folder, name), '')
      const then = Date.now() / 1_000 - days * 86_400
      await utimes(join(folder, name), then, then)
    }
  })

  /** Runs the script with `command` in place of animal-store. */
  const backUp = async (command: string, days = '14') => {
    const bin = await temporaryFolder()
    await writeFile(join(bin, 'animal-store'), `#!/bin/sh\n${command}\n`, { mode: 0o755 })
    return run('deploy/backup.sh', [folder, days], { env: { PATH: `${bin}:/usr/bin:/bin` } })
  }

  it('makes a backup named after its time, and deletes only backups that are too old', async () => {
    await backUp('[ "$1" = backup ] && touch "$2"')
    const [other, made, ...others] = (await readdir(folder)).toSorted()
    expect([other, others]).toStrictEqual(['other', ['pets-new.db']])
    expect(made).toMatch(/^pets-\d{4}-\d\d-\d\dT\d{6}Z\.db$/)
  })

  it('deletes the drafts of backups that were killed, and none that a process is writing', async () => {
    const drafts = ['killed', 'killed-journal', 'open'].map((name) => `.pets-1.db.unfinished-${name}`)
    for (const name of [...drafts, '.other.unfinished-1']) await writeFile(join(folder, name), 'x')
    const file = await open(join(folder, '.pets-1.db.unfinished-open'), 'r+')
    onTestFinished(() => file.close())
    await backUp('touch "$2"')
    const hidden = (await readdir(folder)).filter((name) => name.startsWith('.')).toSorted()
    expect(hidden).toStrictEqual(['.other.unfinished-1', '.pets-1.db.unfinished-open'])
  })

  it.each(['0', '-1', '1.5', 'two'])('refuses to delete backups after %s days, and makes none', async (days) => {
    const refused = { code: 2, stderr: expect.stringContaining(`DAYS must be a number from 1, got '${days}'`) }
    await expect(backUp('touch "$2"', days)).rejects.toMatchObject(refused)
    expect((await readdir(folder)).toSorted()).toStrictEqual(['other', 'pets-new.db', 'pets-old.db'])
  })

  it('deletes nothing if the backup has failed', async () => {
    await expect(backUp('exit 1')).rejects.toMatchObject({ code: 1 })
    expect((await readdir(folder)).toSorted()).toStrictEqual(['other', 'pets-new.db', 'pets-old.db'])
  })
})

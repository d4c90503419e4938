// Backups with concurrent writers, killed, and on a full disk: the backup is complete or absent.
import { existsSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { backupLmdbStore } from '../../../src/adapters/lmdb/backup.js'
import { fail, succeed } from '../../../src/testing/outcome.js'
import { type Folder, makeFolder } from '../../adapters/lmdb/folder.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { mountSmallDisk } from '../../support/containers/tmpfs.js'
import { BUILT, startCli } from '../../support/processes/cli-process.js'
import { expectKept } from './ledger.js'
import { startWriter } from './writer-process.js'

describe('a backup with two concurrent writers', () => {
  let folder: Folder
  beforeEach(async () => {
    folder = await makeFolder()
  })
  afterEach(() => folder.remove())

  const backupPath = (name: string): string => join(dirname(folder.path), name)

  it('contains everything that was acknowledged before it began, and stops neither writer', async () => {
    const writers = [startWriter(folder.path, 16, 'one'), startWriter(folder.path, 16, 'other')]
    const began: bigint[] = []
    for (const round of [1, 2, 3]) {
      for (const writer of writers) await writer.acknowledged(round * 300)
      began.push(process.hrtime.bigint())
      await succeed(backupLmdbStore(folder.path, backupPath(`backup ${round}`)))
    }
    for (const writer of writers) await writer.acknowledged(1_200)
    for (const writer of writers) writer.kill('SIGKILL')
    const ledger = (await Promise.all(writers.map((writer) => writer.ledger))).flat()
    for (const [at, begin] of began.entries()) {
      const acknowledged = ledger.filter(({ end }) => end < begin)
      expect(acknowledged.length).toBeGreaterThan((at + 1) * 600 - 1)
      await expectKept(backupPath(`backup ${at + 1}`), acknowledged)
    }
  })

  it('leaves no backup or a complete one if it is killed', async () => {
    const writer = startWriter(folder.path, 64, 'pets')
    await writer.acknowledged(20_000)
    const outcomes = new Set<boolean>()
    for (const [round, lifetimeMs] of [150, 200, 220, 240, 260, 280, 300, 350, 400, 3_000].entries()) {
      const path = backupPath(`backup ${round}`)
      const command = startCli(BUILT, { DATA_DIR: folder.path }, 'backup', path)
      await Promise.race([sleep(lifetimeMs), command.exit])
      await command.end('SIGKILL')
      outcomes.add(existsSync(path))
      if (existsSync(path)) await expectKept(path, [])
    }
    writer.kill('SIGKILL')
    await writer.ledger
    expect(outcomes).toStrictEqual(new Set([false, true]))
  })
})

describeWith('tmpfs', 'a backup on a full disk', () => {
  it('fails with the reason, and leaves nothing behind', async () => {
    const folder = await makeFolder()
    const writer = startWriter(folder.path, 64, 'x'.repeat(200))
    await writer.acknowledged(3_000)
    writer.kill('SIGKILL')
    await writer.ledger
    const disk = await mountSmallDisk('256k')
    await writeFile(join(disk.path, 'other'), 'x')
    const failure = await fail(backupLmdbStore(folder.path, join(disk.path, 'backup')))
    expect(String(failure.cause)).toContain('No space left on device')
    expect(readdirSync(disk.path)).toStrictEqual(['other'])
    await disk.unmount()
    await folder.remove()
  })
})

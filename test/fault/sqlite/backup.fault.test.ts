// Backups with concurrent writers, killed, and on a full disk: the backup is complete or absent.
import { existsSync, readdirSync } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { backupSqliteStore } from '../../../src/adapters/sqlite/backup/backup.js'
import { fail, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { BUILT, startCli } from '../../support/processes/cli-process.js'
import { temporaryDisk, temporaryPath } from '../../support/runner/temporary-folder.js'
import { expectKept, startWriter } from './ledger.js'

/** A folder whose store is a copy of the backup. */
const storeOf = async (backup: string): Promise<string> => {
  const folder = await temporaryPath()
  await mkdir(folder, { recursive: true })
  await copyFile(backup, join(folder, 'animal-store.db'))
  return folder
}

describe('a backup with two concurrent writers', () => {
  let folder: string
  beforeEach(async () => {
    folder = await temporaryPath()
  })

  const backupPath = (name: string): string => join(dirname(folder), name)

  it('contains everything that was acknowledged before it began, and stops neither writer', async () => {
    const writers = [startWriter(folder, 16, 'one'), startWriter(folder, 16, 'other')]
    const began: bigint[] = []
    for (const round of [1, 2, 3]) {
      for (const writer of writers) await writer.acknowledged(round * 300)
      began.push(process.hrtime.bigint())
      await succeed(backupSqliteStore(folder, backupPath(`backup ${round}`)))
    }
    for (const writer of writers) await writer.acknowledged(1_200)
    const ledger = (await Promise.all(writers.map((writer) => writer.kill()))).flat()
    for (const [at, begin] of began.entries()) {
      const acknowledged = ledger.filter(({ end }) => end < begin)
      expect(acknowledged.length).toBeGreaterThan((at + 1) * 600 - 1)
      await expectKept(await storeOf(backupPath(`backup ${at + 1}`)), acknowledged)
    }
  })

  it('leaves no backup or a complete one if it is killed', async () => {
    const writer = startWriter(folder, 64, 'pets')
    await writer.acknowledged(20_000)
    const start = (path: string) => startCli(BUILT, { DATA_DIR: folder }, 'backup', path)
    const begin = performance.now()
    expect(await start(backupPath('whole')).exit).toBe(0)
    const wholeMs = performance.now() - begin
    const results = new Set<boolean>()
    for (const [round, part] of [0.3, 0.6, 0.75, 0.85, 0.95, 20].entries()) {
      const path = backupPath(`backup ${round}`)
      const command = start(path)
      await Promise.race([sleep(part * wholeMs), command.exit])
      await command.end('SIGKILL')
      results.add(existsSync(path))
      if (existsSync(path)) await expectKept(await storeOf(path), [])
    }
    await writer.kill()
    expect(results).toStrictEqual(new Set([false, true]))
  })
})

describeWith('tmpfs', 'a backup on a full disk', () => {
  it('fails with the reason, and leaves nothing behind', async () => {
    const folder = await temporaryPath()
    const writer = startWriter(folder, 64, 'x'.repeat(200))
    await writer.acknowledged(3_000)
    await writer.kill()
    const disk = await temporaryDisk('256k')
    await writeFile(join(disk, 'other'), 'x')
    const failure = await fail(backupSqliteStore(folder, join(disk, 'backup')))
    expect(String(failure.cause)).toContain('disk is full')
    expect(readdirSync(disk)).toStrictEqual(['other'])
  })
})

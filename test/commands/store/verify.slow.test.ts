import { open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { addTo, petRecord, range } from '../../../src/testing/samples.js'
import { change, DAMAGED_NAME, damagePets, openStoreIn } from '../../adapters/sqlite/open-store.js'
import { SOURCES, startCli } from '../../support/processes/cli-process.js'
import { runCommand } from '../../support/processes/run-command.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'

describe('animal-store verify', { timeout: 60_000 }, () => {
  let folder: string
  beforeEach(async () => {
    folder = await temporaryPath()
    const store = await openStoreIn(folder)
    await addTo(store.archive, ...range(1, 400).map((id) => petRecord(id)))
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
      stdout: `${JSON.stringify({
        path: folder,
        pets: 400,
        apiKeys: 0,
        idempotencyKeys: 0,
        waiting: 0,
        parked: 0,
        damaged: 0,
        findings: [],
      })}\n`,
      stderr: '',
    })
  })

  it('names damaged records, for people too', async () => {
    damagePets(folder, 7)
    expect(await verify(folder)).toStrictEqual({
      code: 1,
      stdout:
        `damaged pet 7: ${DAMAGED_NAME}\n` +
        `${folder} is damaged in 1 place: 400 pets, 0 API keys, 0 idempotency keys, 0 events waiting, 0 parked\n`,
      stderr: '',
    })
  })

  it('names overwritten pages', async () => {
    const copy = join(dirname(folder), 'copy')
    expect(await runCommand({ DATA_DIR: folder }, 'backup', copy)).toMatchObject({ code: 0 })
    const { size } = await stat(copy)
    const file = await open(copy, 'r+')
    // all but the first page
    await file.write(Buffer.alloc(size - 4_096, 0xff), 0, size - 4_096, 4_096)
    await file.close()
    const { code, stdout } = await verify(copy, '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      findings: expect.arrayContaining([{ record: 'database', id: expect.any(String), reason: expect.any(String) }]),
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
    const { code, stdout } = await verify(folder)
    expect([code, stdout]).toStrictEqual([
      1,
      `damaged database ${folder}/animal-store.db: it was written by a newer version, with schema 99; this version knows schema 1\n${folder} cannot be read\n`,
    ])
  })
})

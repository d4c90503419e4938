// As a process: verify starts one of its own, which a damaged page may end.
import { open, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { addTo, petRecord, range } from '../../../src/testing/samples.js'
import { openStoreIn, writeTables } from '../../adapters/lmdb/open-store.js'
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
    await writeTables(folder, ({ pets }) => pets.putSync(7, Buffer.from('{')))
    expect(await verify(folder)).toStrictEqual({
      code: 1,
      stdout:
        'damaged pet 7: is not JSON\n' +
        `${folder} is damaged in 1 place: 400 pets, 0 API keys, 0 idempotency keys, 0 events waiting, 0 parked\n`,
      stderr: '',
    })
  })

  it.each([0xff, 0x00, 0x41])('survives pages overwritten with %i, and says that the file is damaged', async (byte) => {
    const path = join(folder, 'data.mdb')
    const { size } = await stat(path)
    const file = await open(path, 'r+')
    // all but the heads
    await file.write(Buffer.alloc(size - 8_192, byte), 0, size - 8_192, 8_192)
    await file.close()
    const { code, stdout } = await verify(folder, '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      damaged: 1,
      findings: [{ record: 'data file', id: path, reason: expect.any(String) }],
    })
  })

  it('says that there is no store, or that it cannot read it', async () => {
    const other = join(folder, 'other')
    expect(await runCommand({}, 'verify', other)).toStrictEqual({
      code: 1,
      stdout: '',
      stderr: `there is no store in ${other}\n`,
    })
    await writeFile(join(folder, 'format'), 'animal-store 99\n')
    const { code, stdout, stderr } = await verify(folder)
    expect([code, stdout]).toStrictEqual([1, ''])
    expect(stderr).toContain('newer version')
  })

  it('cannot reach STORE=memory, and needs a path', async () => {
    expect(await runCommand({ STORE: 'memory' }, 'verify', folder)).toStrictEqual({
      code: 1,
      stdout: '',
      stderr: 'STORE=memory keeps everything inside the serving process; no other command can reach it\n',
    })
    expect(await runCommand({}, 'verify')).toMatchObject({ code: 2, stdout: '' })
    expect(await runCommand({}, 'verify', '')).toMatchObject({ code: 2, stdout: '' })
  })
})

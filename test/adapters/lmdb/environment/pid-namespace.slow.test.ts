// Which processes may be in one folder at a time. .ci/one-volume shows the same with containers.
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { backupLmdbStore } from '../../../../src/adapters/lmdb/backup.js'
import { enterFolder } from '../../../../src/adapters/lmdb/environment/pid-namespace.js'
import { openLmdbStore } from '../../../../src/adapters/lmdb/store.js'
import { verifyStore } from '../../../../src/adapters/lmdb/verify-store.js'
import type { Notice } from '../../../../src/ports/notice.js'
import { fail } from '../../../../src/testing/samples.js'
import { type CliProcess, startCli } from '../../../support/processes/cli-process.js'
import { boundMs } from '../../../support/runner/night.js'
import { temporaryFolder } from '../../../support/runner/temporary-folder.js'
import { openStoreIn } from '../open-store.js'

const OPENER = fileURLToPath(new URL('foreign-opener.ts', import.meta.url))
const REFUSED = /another container, or its host, is using the folder.*docker exec/

const ignored = (notice: Notice): void => expect(notice).toBeUndefined()
const enter = (folder: string, namespace: string) => enterFolder(folder, ignored, { namespace })
/** A process of another namespace that is in the folder. */
const stranger = async (folder: string): Promise<CliProcess> => {
  const process = startCli(['--import', 'tsx', OPENER], {}, folder, '2')
  await process.find(/entered/)
  return process
}

describe('a folder and its PID namespaces', { skip: process.platform !== 'linux' }, () => {
  it('lets in any number of processes of one namespace, and leaves no file behind', async () => {
    const folder = await temporaryFolder()
    const leaves = [await enter(folder, '1'), await enter(folder, '1'), await enter(folder, '1')]
    expect(await readdir(folder)).toHaveLength(3)
    for (const leave of leaves) await leave()
    expect(await readdir(folder)).toStrictEqual([])
  })

  it('refuses another namespace until the last of the first has left', async () => {
    const folder = await temporaryFolder()
    const [one, other] = [await enter(folder, '1'), await enter(folder, '1')]
    await expect(enter(folder, '2')).rejects.toThrow(REFUSED)
    await one()
    await expect(enter(folder, '2')).rejects.toThrow(REFUSED)
    await other()
    const leave = await enter(folder, '2')
    await expect(enter(folder, '1')).rejects.toThrow(REFUSED)
    await leave()
  })

  it('refuses a killed process nothing, and removes what it left', async () => {
    const folder = await temporaryFolder()
    await (await stranger(folder)).end('SIGKILL')
    expect(await readdir(folder)).toHaveLength(1)
    const leave = await enter(folder, '1')
    expect(await readdir(folder)).toHaveLength(1)
    await leave()
    expect(await readdir(folder)).toStrictEqual([])
  })

  it('counts a process that is stopped', async () => {
    const folder = await temporaryFolder()
    ;(await stranger(folder)).signal('SIGSTOP')
    await expect(enter(folder, '1')).rejects.toThrow(REFUSED)
  })

  it('never lets in two namespaces that come at once', async () => {
    const folder = await temporaryFolder()
    for (let round = 1; round <= 50; round += 1) {
      const entered = await Promise.allSettled([enter(folder, '1'), enter(folder, '2')])
      const inside = entered.filter(({ status }) => status === 'fulfilled')
      expect(inside.length).toBeLessThan(2)
      for (const result of entered) if (result.status === 'fulfilled') await result.value()
    }
  })

  it('works in a folder with a long path', async () => {
    const folder = join(await temporaryFolder(), 'x'.repeat(200))
    await mkdir(folder)
    const leave = await enter(folder, '1')
    await expect(enter(folder, '2')).rejects.toThrow(REFUSED)
    await leave()
  })

  it('warns if the folder cannot hold a socket', async () => {
    const notices: Notice[] = []
    await (await enterFolder('/sys', (notice) => notices.push(notice)))()
    expect(notices).toMatchObject([{ level: 'warn', details: { directory: '/sys' } }])
  })

  it('keeps out every reader and writer of the store within a second, and blames no file', async () => {
    const folder = await temporaryFolder()
    await (await openStoreIn(folder)).close()
    const { end } = await stranger(folder)
    const settings = {
      directory: folder,
      checksDataFile: true,
      reportDamage: () => expect.fail(),
      notify: ignored,
    }
    const copy = join(await temporaryFolder(), 'copy')
    const begin = performance.now()
    expect(String((await fail(openLmdbStore(settings))).cause)).toMatch(REFUSED)
    expect(String((await fail(backupLmdbStore(folder, copy))).cause)).toMatch(REFUSED)
    await expect(verifyStore(folder)).rejects.toThrow(REFUSED)
    expect(performance.now() - begin).toBeLessThan(boundMs(1_000))
    await end('SIGKILL')
    const store = await openStoreIn(folder)
    onTestFinished(store.close)
    expect(await verifyStore(folder)).toMatchObject({ damaged: 0 })
  })
})

// Backups with concurrent writers, and killed backups: a backup is complete or absent.
import { existsSync, readdirSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { petJson } from '../../../src/domain/pets/pet.js'
import { openStoreIn } from '../../adapters/sqlite/open-store.js'
import { BUILT, startCli } from '../../support/processes/cli-process.js'
import { issueKey, runCommand, startServiceProcess } from '../../support/processes/service-process.js'
import { eventually } from '../../support/runner/eventually.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { allPets } from '../../support/stores/all-pets.js'
import { startLoad } from '../../support/stores/pet-ledger.js'

/** Two services write to a store that was seeded with this many pets. */
const makeScene = async (pets: number) => {
  const folder = await temporaryPath()
  const settings = { DATA_DIR: folder }
  const key = await issueKey(settings)
  await runCommand(settings, 'seed', String(pets))
  const services = [await startServiceProcess(settings), await startServiceProcess(settings)]
  const loads = services.map(({ url }) => startLoad(url, key, 16))
  const more = () => Promise.all(loads.map((load) => load.more(100)))
  await more()
  return { settings, loads, more, path: (name: string) => join(dirname(folder), name) }
}

it('a backup contains everything that was acknowledged before it began, and stops neither of two writers', async () => {
  const { settings, loads, more, path } = await makeScene(1)
  for (const round of [1, 2, 3]) {
    await more()
    const acknowledged = loads.flatMap((load) => load.acknowledged())
    const backup = path(`backup ${round}`)
    await runCommand(settings, 'backup', backup)
    const copy = await temporaryPath()
    await mkdir(copy)
    await copyFile(backup, join(copy, 'animal-store.db'))
    await runCommand(settings, 'verify', backup)
    const stored = new Set((await allPets(await openStoreIn(copy))).map(petJson))
    expect(acknowledged.filter((text) => !stored.has(text))).toStrictEqual([])
    expect(acknowledged.length).toBeGreaterThanOrEqual(200 * (round + 1))
  }
  await more()
  for (const load of loads) {
    await load.stop()
    await load.check()
  }
})

it('a backup that is killed is absent or complete', async () => {
  const { settings, loads, path } = await makeScene(20_000)
  const hasDraft = (to: string): boolean =>
    readdirSync(dirname(to)).some((name) => name.startsWith(`.${basename(to)}.unfinished-`))
  const start = async (to: string) => {
    const command = startCli(BUILT, settings, 'backup', to)
    await eventually(() => expect(hasDraft(to) || existsSync(to)).toBe(true), { interval: 1 })
    return command
  }
  const whole = await start(path('whole'))
  const begin = performance.now()
  expect(await whole.exit).toBe(0)
  const copyMs = performance.now() - begin
  for (const [round, part] of [0, 0.1, 0.2, 0.4, 0.7, 20].entries()) {
    const to = path(`backup ${round}`)
    const command = await start(to)
    await Promise.race([sleep(part * copyMs), command.exit])
    await command.end('SIGKILL')
    if (existsSync(to)) await runCommand(settings, 'verify', to)
    else expect(hasDraft(to)).toBe(true)
  }
  for (const load of loads) await load.stop()
})

import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { range } from '../../../src/testing/samples.js'
import { freePort } from '../../support/network/free-port.js'
import { issueKey, runCommand, startServiceProcess } from '../../support/processes/service-process.js'
import { byNight } from '../../support/runner/night.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { type PetLedger, startLoad } from '../../support/stores/pet-ledger.js'

/** Milliseconds of work before each kill, the same in every run. */
const LIFETIMES = fc.sample(fc.integer({ min: 0, max: 150 }), { seed: 5, numRuns: byNight(20, 5) })

const end = async (...loads: readonly PetLedger[]): Promise<void> => {
  for (const { stop, check } of loads) {
    await stop()
    await check()
  }
}

it('an embedded store keeps every acknowledged pet, once, through repeated kill -9 under load, and while others open and close it', async () => {
  const settings = { DATA_DIR: await temporaryPath(), PORT: String(await freePort()) }
  const key = await issueKey(settings)
  let service = await startServiceProcess(settings)
  const load = startLoad(service.url, key, 32)
  for (const lifetimeMs of LIFETIMES) {
    await load.more(1)
    await runCommand(settings, 'keys', 'list')
    await sleep(lifetimeMs)
    await service.end('SIGKILL')
    await runCommand(settings, 'verify', settings.DATA_DIR)
    service = await startServiceProcess(settings)
  }
  await end(load)
})

it('an embedded store lets a process continue when another one on its folder is killed, with unique ids [ids processes]', async () => {
  const settings = { DATA_DIR: await temporaryPath() }
  const key = await issueKey(settings)
  const survivor = await startServiceProcess(settings)
  const load = startLoad(survivor.url, key, 16)
  const other = { ...settings, PORT: String(await freePort()) }
  let killed = await startServiceProcess(other)
  const otherLoad = startLoad(killed.url, key, 16)
  for (const lifetimeMs of LIFETIMES.slice(0, byNight(10, 3))) {
    await otherLoad.more(50)
    await sleep(lifetimeMs)
    await killed.end('SIGKILL')
    await load.more(200)
    killed = await startServiceProcess(other)
  }
  await end(load, otherLoad)
})

it('an embedded store is opened by many processes at once while it is new, and one of them shows its first key', async () => {
  for (const _round of [1, 2, 3]) {
    const settings = { DATA_DIR: await temporaryPath() }
    const services = await Promise.all(range(1, 6).map(() => startServiceProcess(settings)))
    const shown = () => services.flatMap(({ stderr }) => /ast_live_\w+/.exec(stderr()) ?? [])
    await expect.poll(shown).toHaveLength(1)
    const [key = ''] = shown()
    const loads = services.map(({ url }) => startLoad(url, key, 1))
    await Promise.all(loads.map((load) => load.more(3)))
    await end(...loads)
    for (const service of services) await service.end('SIGKILL')
  }
})

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { verifyStore } from '../../../src/adapters/sqlite/backup/verify-store.js'
import { range } from '../../../src/testing/samples.js'
import { client } from '../../support/http/client.js'
import { freePort } from '../../support/network/free-port.js'
import { issueKey, runCommand, startServiceProcess } from '../../support/processes/service-process.js'
import { eventually } from '../../support/runner/eventually.js'
import { byNight } from '../../support/runner/night.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { startLoad } from '../../support/stores/pet-ledger.js'

/** Milliseconds of work before each kill, the same in every run. */
const LIFETIMES = fc.sample(fc.integer({ min: 0, max: 150 }), { seed: 5, numRuns: byNight(20, 5) })

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
    expect(verifyStore(join(settings.DATA_DIR, 'animal-store.db'))).toMatchObject({ damaged: 0 })
    service = await startServiceProcess(settings)
  }
  await load.stop()
  await load.check()
})

it('an embedded store is opened by many processes at once while it is new', async () => {
  for (const _round of [1, 2, 3]) {
    const settings = { DATA_DIR: await temporaryPath() }
    const services = await Promise.all(range(1, 6).map(() => startServiceProcess(settings)))
    const keys = await eventually(() => {
      const printed = services.flatMap(({ stderr }) => /API key \(shown this once\): (\S+)/.exec(stderr())?.[1] ?? [])
      expect(printed).toHaveLength(1)
      return printed
    })
    const body = '{"name":"Rex","categoryId":1}'
    const create = (url: string) => client(url, keys[0] ?? '')('POST', '/v1/pets', { body })
    const created = await Promise.all(services.map(({ url }) => create(url)))
    expect(created.map(({ status }) => status)).toStrictEqual(services.map(() => 201))
    expect(new Set(created.map(({ text }) => text)).size).toBe(services.length)
    for (const { end } of services) await end('SIGKILL')
  }
})

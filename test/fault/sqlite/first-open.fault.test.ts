import { expect, it } from 'vitest'
import { range } from '../../../src/testing/samples.js'
import { startServiceProcess } from '../../support/processes/service-process.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { startLoad } from '../../support/stores/pet-ledger.js'

it('an embedded store is opened by many processes at once while it is new, and one of them shows its first key', async () => {
  for (const _round of [1, 2, 3]) {
    const settings = { DATA_DIR: await temporaryPath() }
    const services = await Promise.all(range(1, 6).map(() => startServiceProcess(settings)))
    const shown = () => services.flatMap(({ stderr }) => /ast_live_\w+/.exec(stderr()) ?? [])
    await expect.poll(shown).toHaveLength(1)
    const [key = ''] = shown()
    const loads = services.map(({ url }) => startLoad(url, key, 1))
    await Promise.all(loads.map((load) => load.more(3)))
    for (const { stop, check } of loads) {
      await stop()
      await check()
    }
    for (const service of services) await service.end('SIGKILL')
  }
})

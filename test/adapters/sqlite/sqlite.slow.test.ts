import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { damageContract } from '../../../src/testing/contracts/pet-pages.contract.js'
import { expectSameResponses } from '../../support/http/same-responses.js'
import { bundleProgram } from '../../support/processes/bundle-program.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { storeSuites } from '../../support/stores/store-suites.js'
import { change, damagePets, openStoreIn } from './open-store.js'

const open = async () => openStoreIn(await temporaryPath())

storeSuites('embedded', {
  open,
  openTwo: async () => {
    const folder = await temporaryPath()
    return [await openStoreIn(folder), await openStoreIn(folder)]
  },
  openAfter: async (last) => {
    const folder = await temporaryPath()
    await (await openStoreIn(folder)).close()
    change(folder, ({ run }) => run('UPDATE store SET last_id = ?', last))
    return openStoreIn(folder)
  },
  share: async () => {
    const folder = await temporaryPath()
    return { open: () => openStoreIn(folder), close: async () => {} }
  },
  // each history syncs many times; the memory store runs more of them
  log: { runs: 5 },
})

damageContract('embedded', async () => {
  const folder = await temporaryPath()
  const store = await openStoreIn(folder)
  const damage = async (id: bigint) => damagePets(folder, Number(id))
  return {
    ...store,
    damage,
    damageRelay: async () => change(folder, ({ run }) => run("UPDATE store SET relay = '{}'")),
  }
})

it('the embedded store answers any requests like the memory store [create-pet]', { timeout: 60_000 }, () =>
  expectSameResponses(open, 10),
)

it('an embedded store that nobody closes keeps no process alive', { timeout: 60_000 }, async () => {
  const program = bundleProgram(fileURLToPath(new URL('unclosed.ts', import.meta.url)))
  const { status, stderr } = spawnSync(process.execPath, [program, await temporaryPath()], { timeout: 30_000 })
  expect([status, String(stderr)]).toEqual([0, ''])
})

// Commands exit with 1 and a reason on stderr if the store fails on the way. refusals.test.ts: before it is opened.
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { MAX_PET_ID } from '../../src/domain/pets/pet.js'
import { change, damagePage } from '../adapters/sqlite/open-store.js'
import { runCommand } from '../support/processes/run-command.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

let folder: string
let data: string
beforeEach(async () => {
  folder = await temporaryFolder()
  data = join(folder, 'data')
})

const run = (command: string) =>
  runCommand({ DATA_DIR: data }, ...command.replace('EXPORT', join(folder, 'EXPORT')).split(' '))

const DAMAGED_RELAY = "UPDATE store SET relay = '{'"
it.each([
  ['seed 1', `UPDATE store SET last_id = ${MAX_PET_ID}`],
  ...['events backlog', 'events replay --from 2026-01-01', 'events parked list', 'events parked retry'].map(
    (command) => [command, DAMAGED_RELAY] as const,
  ),
] as const)('ends %s with 1 and its reason if the store fails on the way, after %s', async (command, damage) => {
  expect(await run('seed 1')).toMatchObject({ code: 0 })
  change(data, ({ exec }) => exec(damage))
  const { code, stdout, stderr } = await run(command)
  expect([code, stdout]).toStrictEqual([1, ''])
  expect(stderr).toMatch(/^the store of DATA_DIR cannot be used: \S/m)
})

it('ends export with 1 and its reason, and leaves no file, if the store is damaged on the way', async () => {
  expect(await run('seed 1')).toMatchObject({ code: 0 })
  await damagePage(join(data, 'animal-store.db'), 'api_keys')
  const { code, stdout, stderr } = await run('export EXPORT')
  expect([code, stdout]).toStrictEqual([1, ''])
  expect(stderr).toContain('the store of DATA_DIR cannot be used: database disk image is malformed\n')
  await expect(access(join(folder, 'EXPORT'))).rejects.toThrow('ENOENT')
})

it('ends an export with 1 if the record of the relay is damaged, and exports all else', async () => {
  await run('seed 1')
  change(data, ({ exec }) => exec(DAMAGED_RELAY))
  const { code, stdout, stderr } = await run('export EXPORT')
  expect([code, stdout]).toStrictEqual([1, expect.stringContaining('exported 1 pet')])
  expect(stderr).toMatch(/^damaged relay record events: must be an object$.*^damaged records that are left out: 1$/ms)
})

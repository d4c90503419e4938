// Every command that needs the store exits with 1 if the store cannot be opened, and says so on stderr alone.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { change } from '../adapters/sqlite/open-store.js'
import { runCommand } from '../support/processes/run-command.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

describe('a store that cannot be opened', () => {
  it.each([
    'serve',
    'keys create',
    'keys list',
    'keys rotate aaaaaaaaaaa',
    'keys revoke aaaaaaaaaaa',
    'keys prune',
    'events backlog',
    'events replay --from 2026-01-01T00:00:00Z',
    'events parked list',
    'events parked retry',
    'seed 1',
    'backup COPY',
    'verify DATA',
    'export EXPORT',
    'import LINES',
  ])('ends %s with 1, and prints nothing but the reason', async (command) => {
    const folder = await temporaryFolder()
    // a file in the place of the folder
    const path = join(folder, 'data')
    await writeFile(path, 'not a folder')
    await writeFile(join(folder, 'LINES'), '')
    const words = command.replace(/(?<= )[A-Z]+$/, (name) => join(folder, name)).split(' ')
    const environment = { DATA_DIR: path, PORT: '0', LOG_LEVEL: 'silent' }
    const { code, stdout, stderr } = await runCommand(environment, ...words)
    expect([code, stdout]).toStrictEqual([1, ''])
    expect(stderr).not.toBe('')
  })
})

const DAMAGED_RELAY = "UPDATE store SET relay = '{'"

describe('a store that fails on the way', () => {
  it.each([
    ['seed 1', 'DROP TABLE counts'],
    ...['backlog', 'replay --from 2026-01-01', 'parked list', 'parked retry'].map(
      (words) => [`events ${words}`, DAMAGED_RELAY] as const,
    ),
    ['export EXPORT', DAMAGED_RELAY],
  ] as const)('ends %s with 1 and its reason, after %s', async (command, damage) => {
    const folder = await temporaryFolder()
    const environment = { DATA_DIR: join(folder, 'data') }
    expect(await runCommand(environment, 'seed', '1')).toMatchObject({ code: 0 })
    change(environment.DATA_DIR, ({ exec }) => exec(damage))
    const words = command.replace(/(?<= )[A-Z]+$/, (name) => join(folder, name)).split(' ')
    const { code, stdout, stderr } = await runCommand(environment, ...words)
    expect([code, stdout]).toStrictEqual([1, ''])
    expect(stderr).toMatch(/^the store of DATA_DIR cannot be used: \S/m)
  })
})

it('names the option whose value the domain refuses', async () => {
  const environment = { DATA_DIR: await temporaryFolder() }
  expect(await runCommand(environment, 'keys', 'create', '--name', '')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--name: must have 1 to 256 characters\n'),
  })
})

// Every command exits with 1 and a reason on stderr if it cannot use the store, and with 78 for bad settings.
import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_PET_ID } from '../../src/domain/pets/pet.js'
import { change, damagePage } from '../adapters/sqlite/open-store.js'
import { runCommand } from '../support/processes/run-command.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

/** Commands on an existing store; a word in capitals is a path in the test's folder. */
const ON_A_STORE = [
  'keys list',
  'keys rotate aaaaaaaaaaa',
  'keys revoke aaaaaaaaaaa',
  'keys prune',
  'events backlog',
  'events replay --from 2026-01-01T00:00:00Z',
  'events parked list',
  'events parked retry',
  'backup COPY',
  'export EXPORT',
]
const CREATING = ['keys create', 'seed 1', 'import LINES']
const IN_MEMORY = 'STORE=memory keeps everything inside the serving process; no other command can reach it\n'

let folder: string
let data: string
beforeEach(async () => {
  folder = await temporaryFolder()
  data = join(folder, 'data')
  await writeFile(join(folder, 'LINES'), '')
})

const run = (environment: Readonly<Record<string, string>>, command: string) =>
  runCommand(environment, ...command.replace(/(?<= )[A-Z]+$/, (name) => join(folder, name)).split(' '))

it.each([...ON_A_STORE, ...CREATING, 'verify COPY', 'serve'])(
  'ends %s with 1 if the store cannot be opened, and prints nothing but the reason',
  async (command) => {
    // a file instead of the folder
    await writeFile(data, 'not a folder')
    const { code, stdout, stderr } = await run({ DATA_DIR: data, PORT: '0', LOG_LEVEL: 'silent' }, command)
    expect([code, stdout]).toStrictEqual([1, ''])
    expect(stderr).not.toBe('')
  },
)

it.each(ON_A_STORE)('ends %s with 1 if there is no store, names the folder, and creates none', async (command) => {
  const stderr = `there is no store in ${data}: set DATA_DIR to the folder of the running service\n`
  expect(await run({ DATA_DIR: data }, command)).toStrictEqual({ code: 1, stdout: '', stderr })
  await expect(access(data)).rejects.toThrow('ENOENT')
  for (const name of ['COPY', 'EXPORT']) await expect(access(join(folder, name))).rejects.toThrow('ENOENT')
})

it.each([
  ...[...ON_A_STORE, ...CREATING, 'verify COPY'].map((command) => ['memory', command, IN_MEMORY] as const),
  ['memory', 'indexes', 'STORE=memory has no indexes to create; this command is for STORE=mongodb\n'] as const,
  ...['backup', 'restore'].map((name) => ['mongodb', `${name} COPY`, expect.stringContaining('mongodump')] as const),
])('cannot reach STORE=%s with %s, and says why [cmd-memory]', async (STORE, command, stderr: unknown) => {
  const environment = { STORE, MONGODB_URI: 'mongodb://127.0.0.1:9/pets' }
  expect(await run(environment, command)).toStrictEqual({ code: 1, stdout: '', stderr })
})

const DAMAGED_RELAY = "UPDATE store SET relay = '{'"
it.each([
  ['seed 1', `UPDATE store SET last_id = ${MAX_PET_ID}`],
  ...['events backlog', 'events replay --from 2026-01-01', 'events parked list', 'events parked retry'].map(
    (command) => [command, DAMAGED_RELAY] as const,
  ),
] as const)('ends %s with 1 and its reason if the store fails on the way, after %s', async (command, damage) => {
  expect(await run({ DATA_DIR: data }, 'seed 1')).toMatchObject({ code: 0 })
  change(data, ({ exec }) => exec(damage))
  const { code, stdout, stderr } = await run({ DATA_DIR: data }, command)
  expect([code, stdout]).toStrictEqual([1, ''])
  expect(stderr).toMatch(/^the store of DATA_DIR cannot be used: \S/m)
})

it('ends export with 1 and its reason, and leaves no file, if the store is damaged on the way', async () => {
  expect(await run({ DATA_DIR: data }, 'seed 1')).toMatchObject({ code: 0 })
  await damagePage(join(data, 'animal-store.db'), 'api_keys')
  const { code, stdout, stderr } = await run({ DATA_DIR: data }, 'export EXPORT')
  expect([code, stdout]).toStrictEqual([1, ''])
  expect(stderr).toContain('the store of DATA_DIR cannot be used: database disk image is malformed\n')
  await expect(access(join(folder, 'EXPORT'))).rejects.toThrow('ENOENT')
})

it('ends an export with 1 if the record of the relay is damaged, and exports all else', async () => {
  await run({ DATA_DIR: data }, 'seed 1')
  change(data, ({ exec }) => exec(DAMAGED_RELAY))
  const { code, stdout, stderr } = await run({ DATA_DIR: data }, 'export EXPORT')
  expect([code, stdout]).toStrictEqual([1, expect.stringContaining('exported 1 pet')])
  expect(stderr).toMatch(/^damaged relay record events: must be an object$.*^damaged records that are left out: 1$/ms)
})

describe('bad settings', () => {
  it('end a command with 78, with one line per problem, before anything is opened [bad-values]', async () => {
    const settings = {
      DATA_DIR: data,
      LOG_LEVEL: 'silent',
      PORT: 'x',
      STORE: 'disk',
      MONGODB_URI: 'mongodb://u:secret@',
    }
    for (const command of ['serve', 'keys list --json']) {
      const { code, stdout, stderr } = await run(settings, command)
      expect([code, stdout]).toEqual([78, ''])
      expect(stderr.trim().split('\n')).toEqual([
        expect.stringMatching(/^PORT: got "x", wanted /),
        expect.stringMatching(/^STORE: got "disk", wanted /),
        expect.stringMatching(/^MONGODB_URI: got \(hidden\), wanted /),
      ])
    }
    await expect(access(data)).rejects.toThrow('ENOENT')
  })

  it('may be a MONGODB_URI that only the driver refuses: none of it is shown, and no signal is handled', async () => {
    const uri = 'mongodb://user:hunter2@localhost/pets?foo=1'
    const file = join(folder, 'uri')
    await writeFile(file, `${uri}\n`)
    const listeners = () => ['SIGTERM', 'SIGINT', 'SIGHUP'].map((event) => process.listenerCount(event))
    const before = listeners()
    const wanted =
      'wanted another: the MongoDB driver refuses foo; user and password are percent-encoded (@ as %40, / as %2F)'
    for (const [name, value, command] of [
      ['MONGODB_URI', uri, 'serve'],
      ['MONGODB_URI', uri, 'indexes'],
      ['MONGODB_URI_FILE', file, 'keys list'],
    ] as const) {
      const stderr = `${name}: got (hidden), ${wanted}\n`
      const printed = await run({ [name]: value, PORT: '0', LOG_LEVEL: 'silent' }, command)
      expect(printed).toEqual({ code: 78, stdout: '', stderr })
    }
    expect(listeners()).toEqual(before)
  })
})

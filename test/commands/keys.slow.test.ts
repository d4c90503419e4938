// The life of keys: durations, what ends them, and the record of each change, which never holds a key.
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect } from '../../src/adapters/sqlite/file/connection.js'
import { DATABASE } from '../../src/adapters/sqlite/file/folder.js'
import { runCommandLine } from '../../src/commands/command-line.js'
import { makeMovableClock } from '../support/domain/movable-clock.js'
import { runCommand, runCommandAt } from '../support/processes/run-command.js'
import { temporaryPath } from '../support/runner/temporary-folder.js'

const DAY_MS = 86_400_000

const start = async () => {
  const environment = { DATA_DIR: await temporaryPath() }
  const clock = makeMovableClock()
  const run = (...words: readonly string[]) => runCommandAt(clock, environment, ...words)
  const create = async (...words: readonly string[]) =>
    (JSON.parse((await run('keys', 'create', '--json', ...words)).stdout) as { readonly id: string }).id
  const ids = async () =>
    (JSON.parse((await run('keys', 'list', '--json')).stdout) as { readonly id: string }[]).map(({ id }) => id)
  return { environment, clock, run, create, ids }
}

it('keys prune removes the keys that ended more than 90 days ago, or another time [cmd-keys]', async () => {
  const { environment, clock, run, create, ids } = await start()
  const [live, expired, revoked] = [await create(), await create('--expires', '1d'), await create()]
  await run('keys', 'revoke', revoked)
  clock.advance(90 * DAY_MS)
  expect(await run('keys', 'prune', '--json')).toStrictEqual({ code: 0, stdout: '{"removed":0}\n', stderr: '' })
  clock.advance(1)
  expect(await run('keys', 'prune')).toStrictEqual({ code: 0, stdout: '1 key removed\n', stderr: '' })
  expect(new Set(await ids())).toStrictEqual(new Set([live, expired]))
  const audit: string[] = []
  const output = {
    result: async () => {},
    message: () => {},
    notice: async () => {},
    audit: (line: string) => void audit.push(line),
  }
  for (const age of ['89d', '88d'])
    await runCommandLine(['keys', 'prune', '--older-than', age], environment, output, clock)
  expect(await ids()).toStrictEqual([live])
  expect(audit.map((line): unknown => JSON.parse(line))).toMatchObject([
    { audit: true, msg: 'keys pruned', removed: 1, olderThanSeconds: 7_689_600 },
  ])
  expect((await run('keys', 'prune', '--older-than', 'soon')).code).toBe(2)
})

it.each([['revoke'], ['rotate']])('keys %s finds no live key under a text that cannot be an id', async (command) => {
  const { run, create } = await start()
  await create()
  for (const [id, quoted = id] of [
    ['zzzzzzzzzzz'],
    ['with space'],
    ['a'.repeat(5_000), JSON.stringify('a'.repeat(5_000))],
    ['a\nb', '"a\\nb"'],
    ['käy', '"käy"'],
  ] as const) {
    expect(await run('keys', command, id)).toStrictEqual({
      code: 1,
      stdout: '',
      stderr: `there is no live key with the id ${quoted}\n`,
    })
  }
})

const startAudited = async (environment: Readonly<Record<string, string>> = {}) => {
  const folder = await temporaryPath()
  const texts: string[] = []
  const run = async (...words: readonly string[]): Promise<string> => {
    let stdout = ''
    const code = await runCommandLine(
      [...words, '--json'],
      { DATA_DIR: folder, ...environment },
      {
        result: async (text) => {
          stdout += text
        },
        message: () => undefined,
        notice: async () => undefined,
        audit: (line) => texts.push(line),
      },
    )
    expect(code).toBe(0)
    return stdout
  }
  const issue = async (...words: readonly string[]) => JSON.parse(await run(...words)) as { id: string; key: string }
  return { texts, run, issue }
}

it('has a line for each key that is created, rotated or revoked', async () => {
  const { texts, run, issue } = await startAudited()
  const first = await issue('keys', 'create', '--name', 'shop', '--scope', 'pets:read', '--expires', '30d')
  const second = await issue('keys', 'rotate', first.id, '--overlap', '5m')
  await run('keys', 'revoke', second.id)
  // changes nothing
  await run('keys', 'revoke', second.id)
  await run('keys', 'list')
  const common = { level: 'info', service: 'animal-store', audit: true, keyName: 'shop', scopes: ['pets:read'] }
  expect(texts.map((text): unknown => JSON.parse(text))).toMatchObject([
    { ...common, msg: 'key created', keyId: first.id, expiresAt: expect.stringMatching(/^20/) },
    { ...common, msg: 'key rotated', keyId: second.id, replaces: first.id, overlapSeconds: 300 },
    { ...common, msg: 'key revoked', keyId: second.id },
  ])
  for (const { key } of [first, second]) expect(texts.join()).not.toContain(key.slice(-20))
})

it('is silent below LOG_LEVEL=info', async () => {
  const { texts, run } = await startAudited({ LOG_LEVEL: 'warn' })
  await run('keys', 'create')
  expect(texts).toEqual([])
})

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

describe('a duration', () => {
  const scene = async () => {
    const DATA_DIR = await temporaryPath()
    return async (...words: readonly string[]): Promise<unknown> =>
      JSON.parse((await runCommand({ DATA_DIR }, 'keys', ...words, '--json')).stdout)
  }

  it.each([
    ['90s', 1.5 * MINUTE_MS],
    ['5m', 5 * MINUTE_MS],
    ['12h', 12 * HOUR_MS],
    ['30d', 30 * 24 * HOUR_MS],
  ])('of %s is the exact life of a new key', async (text, milliseconds) => {
    const run = await scene()
    const { createdAt, expiresAt } = (await run('create', '--expires', text)) as Record<string, string>
    expect(Date.parse(expiresAt ?? '') - Date.parse(createdAt ?? '')).toBe(milliseconds)
  })

  it.each<[string, readonly string[], number]>([
    ['24 hours by default', [], 24 * HOUR_MS],
    ['an hour if that is asked for', ['--overlap', '1h'], HOUR_MS],
  ])('is how long a rotated key stays valid: %s', async (_, options, milliseconds) => {
    const run = await scene()
    const { id = '' } = (await run('create')) as Record<string, string>
    const before = Date.now()
    await run('rotate', id, ...options)
    const [rotated] = (await run('list')) as readonly Record<string, string>[]
    const life = Date.parse(rotated?.['expiresAt'] ?? '') - before
    expect(life).toBeGreaterThanOrEqual(milliseconds)
    expect(life).toBeLessThan(milliseconds + MINUTE_MS)
  })
})

it('a command waits for another process that writes, longer than a client would', async () => {
  const { environment, run, create } = await start()
  await create()
  const other = connect(`${environment.DATA_DIR}/${DATABASE}`, { readOnly: false })
  onTestFinished(other.close)
  other.exec('BEGIN IMMEDIATE')
  const second = run('keys', 'create')
  // a service gives up after 2 s
  await pause(2_500)
  other.exec('COMMIT')
  expect(await second).toMatchObject({ code: 0 })
})

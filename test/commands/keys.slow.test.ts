import { expect, it } from 'vitest'
import { runCommandLine } from '../../src/commands/command-line.js'
import { makeMovableClock } from '../support/domain/movable-clock.js'
import { temporaryPath } from '../support/runner/temporary-folder.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

interface Listed {
  readonly id: string
  readonly expiresAt: string
}

const start = async (settings: Readonly<Record<string, string>> = {}) => {
  const folder = await temporaryPath()
  const clock = makeMovableClock()
  const audit: string[] = []
  const run = async (...words: readonly string[]) => {
    const [out, err]: [string[], string[]] = [[], []]
    const output = {
      result: async (text: string) => void out.push(`${text}\n`),
      message: (text: string) => void err.push(text.startsWith('store: ') ? '' : `${text}\n`),
      notice: async () => {},
      audit: (line: string) => void audit.push(line),
    }
    const code = await runCommandLine(['keys', ...words], { DATA_DIR: folder, ...settings }, output, clock)
    return { code, stdout: out.join(''), stderr: err.join('') }
  }
  const issue = async (...words: readonly string[]) =>
    JSON.parse((await run(...words, '--json')).stdout) as Listed & { readonly key: string }
  const list = async () => JSON.parse((await run('list', '--json')).stdout) as readonly Listed[]
  return { folder, clock, run, issue, list, audit }
}

it('keys prune removes the keys that ended more than 90 days ago, or another time [cmd-keys]', async () => {
  const { clock, run, issue, list, audit } = await start()
  const [live, expired, revoked] = [
    await issue('create'),
    await issue('create', '--expires', '1d'),
    await issue('create'),
  ]
  await run('revoke', revoked.id)
  clock.advance(90 * DAY_MS)
  expect(await run('prune', '--json')).toStrictEqual({ code: 0, stdout: '{"removed":0}\n', stderr: '' })
  clock.advance(1)
  expect(await run('prune')).toStrictEqual({ code: 0, stdout: '1 key removed\n', stderr: '' })
  expect(new Set((await list()).map(({ id }) => id))).toStrictEqual(new Set([live.id, expired.id]))
  audit.length = 0
  for (const age of ['89d', '88d']) await run('prune', '--older-than', age)
  expect(await list()).toMatchObject([{ id: live.id }])
  expect(audit.map((line): unknown => JSON.parse(line))).toMatchObject([
    { audit: true, msg: 'keys pruned', removed: 1, olderThanSeconds: 7_689_600 },
  ])
})

it('the audit has a line for each key that is created, rotated or revoked', async () => {
  const { run, issue, audit } = await start()
  const scope = ['--scope', 'pets:read']
  const first = await issue('create', '--name', 'shop', ...scope, ...scope, '--expires', '30d')
  const second = await issue('rotate', first.id, '--overlap', '5m')
  // the second one changes nothing
  for (const _ of [1, 2]) expect((await run('revoke', second.id)).code).toBe(0)
  await run('list')
  const common = { level: 'info', service: 'animal-store', audit: true, keyName: 'shop', scopes: ['pets:read'] }
  expect(audit.map((text): unknown => JSON.parse(text))).toMatchObject([
    { ...common, msg: 'key created', keyId: first.id, expiresAt: first.expiresAt },
    { ...common, msg: 'key rotated', keyId: second.id, replaces: first.id, overlapSeconds: 300 },
    { ...common, msg: 'key revoked', keyId: second.id },
  ])
  for (const { key } of [first, second]) expect(audit.join()).not.toContain(key.slice(-20))
})

it('keys list shows a name without what a terminal would obey', async () => {
  const { run, issue } = await start()
  await issue('create', '--name', 'shop\n\u001b[2J')
  expect((await run('list')).stdout).toMatch(/^id .*\n\S+ +shop\ufffd\ufffd\[2J .*\n$/)
})

it.each([
  ['90s', 1.5 * MINUTE_MS],
  ['5m', 5 * MINUTE_MS],
  ['12h', 12 * HOUR_MS],
  ['30d', 30 * DAY_MS],
])('a duration of %s is the exact life of a new key', async (text, milliseconds) => {
  const { clock, issue } = await start()
  expect(Date.parse((await issue('create', '--expires', text)).expiresAt)).toBe(clock.now() + milliseconds)
})

it('a rotated key stays valid for 24 hours by default', async () => {
  const { clock, run, issue, list } = await start()
  const { id } = await issue('create')
  clock.advance(1)
  await run('rotate', id)
  expect(Date.parse((await list())[0]?.expiresAt ?? '')).toBe(clock.now() + DAY_MS)
})

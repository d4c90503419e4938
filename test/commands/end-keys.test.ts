// keys prune, and ids that cannot be those of a key.
import { expect, it } from 'vitest'
import { runCommandLine } from '../../src/commands/command-line.js'
import { makeMovableClock } from '../support/domain/movable-clock.js'
import { runCommandAt } from '../support/processes/run-command.js'
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

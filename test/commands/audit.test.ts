// Who may call the service is on record: each change of a key is a JSON line, which never holds the key.
import { expect, it } from 'vitest'
import { runCommandLine } from '../../src/commands/command-line.js'
import { temporaryPath } from '../support/runner/temporary-folder.js'

const start = async (environment: Readonly<Record<string, string>> = {}) => {
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
  const { texts, run, issue } = await start()
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
  const { texts, run } = await start({ LOG_LEVEL: 'warn' })
  await run('keys', 'create')
  expect(texts).toEqual([])
})

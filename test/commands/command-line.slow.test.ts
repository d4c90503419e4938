// What scripts rely on: exit codes, one JSON document on stdout, messages on stderr.
import { beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../support/processes/run-command.js'
import { temporaryPath } from '../support/runner/temporary-folder.js'

let folder: string
beforeEach(async () => {
  folder = await temporaryPath()
})

const run = (...words: readonly string[]) => runCommand({ DATA_DIR: folder }, ...words)
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('runCommandLine', () => {
  it('creates, lists, rotates and revokes keys, and prints each key once [key-life cmd-keys]', async () => {
    const created = await run('keys', 'create', '--name', 'shop', '--scope', 'pets:read', '--expires', '30d', '--json')
    const issued = JSON.parse(created.stdout) as { id: string; key: string; createdAt: string; expiresAt: string }
    expect(created).toMatchObject({ code: 0, stderr: `created a new store in ${folder} (DATA_DIR)\n` })
    expect(issued).toEqual({
      id: expect.stringMatching(/^\w{11}$/),
      key: expect.stringMatching(/^ast_live_\w{11}_\w{49}$/),
      name: 'shop',
      scopes: ['pets:read'],
      createdAt: expect.stringMatching(TIME),
      expiresAt: expect.stringMatching(TIME),
    })
    expect(Object.keys(issued)).toEqual(['id', 'key', 'name', 'scopes', 'createdAt', 'expiresAt'])
    expect(Date.parse(issued.expiresAt) - Date.parse(issued.createdAt)).toBe(30 * 86_400_000)

    const rotated = await run('keys', 'rotate', issued.id, '--overlap', '5m', '--json')
    const successor = JSON.parse(rotated.stdout) as typeof issued
    expect(successor).toMatchObject({ name: 'shop', scopes: ['pets:read'] })
    expect(successor.key).not.toBe(issued.key)
    expect(await run('keys', 'rotate', issued.id)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `the key ${issued.id} was already replaced by ${successor.id}; rotate that one\n`,
    })

    const revoked = await run('keys', 'revoke', successor.id, '--json')
    expect(JSON.parse(revoked.stdout)).toMatchObject({ id: successor.id, revokedAt: expect.stringMatching(TIME) })

    const listed = await run('keys', 'list', '--json')
    const { id, createdAt } = issued
    const listedIds = JSON.parse(listed.stdout) as readonly unknown[]
    expect(listedIds[0]).toEqual({
      id,
      name: 'shop',
      scopes: ['pets:read'],
      createdAt,
      expiresAt: expect.stringMatching(TIME),
      revokedAt: null,
      lastUsedAt: null,
    })
    expect(listedIds).toHaveLength(2)
    for (const { stdout, stderr } of [rotated, revoked, listed]) expect(stdout + stderr).not.toContain(issued.key)
  })

  it('prints only the key on stdout for people too, with all scopes by default [scopes]', async () => {
    const created = await run('keys', 'create')
    expect(created.stdout).toMatch(/^ast_live_\w+\n$/)
    expect(created.stderr).toMatch(/\(DATA_DIR\)\nAPI key \w{11}, shown this once:\n$/)
    const [header, key, ...others] = (await run('keys', 'list')).stdout.trim().split('\n')
    expect(header).toMatch(/^id +name +scopes +createdAt +expiresAt +revokedAt +lastUsedAt$/)
    expect(key).toMatch(/^\w{11} {2}- {5}pets:read,pets:write,orders:read,events:read {2}\S{16}Z {2}- +- +-$/)
    expect(others).toStrictEqual([])
  })

  it('reports an empty list on stderr', async () => {
    await run('seed', '1')
    for (const [words, message] of [
      [['keys', 'list'], 'no keys yet: create one with animal-store keys create\n'],
      [['events', 'parked', 'list'], 'no parked events\n'],
    ] as const) {
      expect(await run(...words)).toEqual({ code: 0, stdout: '', stderr: message })
      expect(await run(...words, '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
    }
  })

  it('prints no key or secret that is given as an ID or as another value, and ends none [secrets]', async () => {
    const key = (await run('keys', 'create')).stdout.trim()
    const secret = key.slice(key.lastIndexOf('_') + 1)
    const wanted = 'wanted the id of a key: the part between ast_live_ and the next _'
    for (const command of ['revoke', 'rotate'])
      for (const text of [key, secret.slice(0, 43), `Bearer ${key}`, key.slice(9)]) {
        const refused = { code: 2, stdout: '', stderr: `ID: got (hidden), ${wanted}\n` }
        expect(await run('keys', command, text)).toEqual(refused)
      }
    const listed = JSON.parse((await run('keys', 'list', '--json')).stdout) as readonly unknown[]
    expect(listed).toMatchObject([{ revokedAt: null, expiresAt: null }])
    for (const words of [
      ...[key, secret, 'nats://u:hunter2@a'].map((text) => ['seed', text]),
      ...['--expires', '--scope', '--name'].map((option) => ['keys', 'create', option, key]),
    ]) {
      const { code, stderr } = await run(...words)
      expect([code, stderr]).toEqual([2, expect.stringContaining(': got (hidden), wanted ')])
    }
  })
})

// A clone built elsewhere is installed for production, without the compiler, as in an image or on a server.
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeScratch, type Scratch } from './scratch.js'

describe('npm ci --omit=dev', () => {
  let scratch: Scratch
  beforeAll(async () => {
    scratch = await makeScratch()
    const descriptions = ['openapi.yaml', 'asyncapi.yaml']
    for (const name of ['package.json', 'package-lock.json', '.npmrc', 'dist', 'assets', ...descriptions]) {
      await cp(name, join(scratch.folder, name), { recursive: true })
    }
    await scratch.run('npm', 'ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund')
    return scratch.remove
  })

  it('installs everything that the command line needs, without the compiler', async () => {
    const run = ['npm', 'run', '--silent', 'animal-store', '--', 'keys', 'create', '--json']
    // Node 20 has no SQLite
    const created = await scratch.run('npx', '--yes', '-p', 'node@24', ...run)
    expect(JSON.parse(created)).toMatchObject({ key: expect.stringMatching(/^ast_live_/) })
    await expect(scratch.run('npm', 'ls', 'typescript', '--depth=0')).rejects.toThrow('(empty)')
  })

  it('keeps the built files for npm start', async () => {
    await expect(scratch.run('npm', 'start', '--silent', '--', '--help')).resolves.toMatch(/^animal-store serve\n/)
  })
})

// Installs the tarball without anything optional, for a program that needs only the domain and for the command line.
import { spawnSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { childEnvironment } from '../support/processes/child-environment.js'
import { startCli } from '../support/processes/cli-process.js'
import { makeCompiler, strictIn } from './compiler.js'
import { INSTALL } from './entries.js'
import { makeScratch, type Scratch } from './scratch.js'

const tarball = inject('tarball')

describe('an install without anything optional', () => {
  let scratch: Scratch
  beforeAll(async () => {
    scratch = await makeScratch()
    await scratch.write('package.json', '{ "private": true }')
    await scratch.run('npm', ...INSTALL, '--omit=optional', tarball)
    return scratch.remove
  })

  it('has a domain, and no other package than fp-ts and io-ts', async () => {
    const installed = await readdir(join(scratch.folder, 'node_modules'))
    expect(installed.filter((name) => !name.startsWith('.')).sort()).toStrictEqual(['animal-store', 'fp-ts', 'io-ts'])
    const compilerOptions = { ...strictIn(scratch.folder), types: [], noEmit: false }
    await scratch.write('tsconfig.json', JSON.stringify({ compilerOptions }))
    await scratch.write(
      'uses.mts',
      `import { Pet, petJson } from 'animal-store'
       import { makeClient } from 'animal-store/client'
       import type { Ports } from 'animal-store'
       declare const console: { readonly log: (text: string) => void }
       export const ids: readonly (keyof Ports)[] = ['ids']
       const pet: Pet = { id: 1n, name: 'Rex', categoryId: 2n }
       if (Pet.is(pet)) console.log(petJson(pet))
       console.log(typeof makeClient)`,
    )
    expect(makeCompiler().tsc(scratch.folder)).toBe('')
    expect(await scratch.run(process.execPath, 'uses.mjs')).toBe('{"id":1,"name":"Rex","categoryId":2}\nfunction\n')
  })

  const cli = () => join(scratch.folder, 'node_modules/animal-store/dist/cli.js')

  const onNode = async (version: string, ...words: readonly string[]) => {
    const env = childEnvironment({ DATA_DIR: join(scratch.folder, version) })
    const { status, stdout, stderr } = spawnSync('npx', ['--yes', '-p', `node@${version}`, 'node', cli(), ...words], {
      env,
      encoding: 'utf8',
    })
    return { code: status, output: stdout + stderr }
  }

  /** Creates pets, backs them up and restores them. */
  const useStore = async (version: string, warnings: number) => {
    const backup = join(scratch.folder, `${version}.db`)
    for (const words of [
      ['keys', 'create'],
      ['seed', '3'],
      ['backup', backup],
      ['restore', backup],
    ]) {
      const { code, output } = await onNode(version, ...words)
      expect([words, code, output.match(/Warning/g)?.length ?? 0]).toStrictEqual([words, 0, warnings])
    }
    expect((await onNode(version, 'verify', backup)).output).toContain('is undamaged: 3 pets, 1 API key')
  }

  it('has a command line that says what its default store needs on Node 20', async () => {
    const { code, output } = await onNode('20', 'check')
    expect([code, output]).toStrictEqual([
      78,
      'STORE: got "embedded", wanted SQLite 3.51.3 or later, and this Node has none: npm install @photostructure/sqlite@1, or use Node 24.21 or later\n',
    ])
  })

  it.each(['22', '24'])('has a command line that needs nothing else on Node %s', async (version) => {
    await useStore(version, version === '22' ? 1 : 0)
  })

  it('has a command line that uses the installed driver on Node 20', async () => {
    await scratch.run('npm', ...INSTALL, '@photostructure/sqlite@1')
    await useStore('20', 0)
  })

  it('has a command line with every other driver inside', async () => {
    const settings = { MONGODB_URI: 'mongodb://a/b', EVENTS_URL: 'nats://a' }
    const { exit, stdout } = startCli([cli()], settings, 'check')
    expect([await exit, stdout()]).toStrictEqual([0, expect.stringContaining('STORE=mongodb\n')])
    const service = startCli([cli()], { STORE: 'memory', PORT: '0', METRICS_PORT: '0' }, 'serve')
    const metrics = await service.find(/"url":"(http[^"]*\/metrics)"/)
    expect(await (await fetch(metrics)).text()).toContain('animal_store_build_info')
    const docs = await fetch(new URL('/docs/swagger-ui.css', await service.find(/"url":"(http[^"]*\/v1)"/)))
    // reads the body, because an unread body keeps its connection open
    expect([docs.status, await docs.text()]).toStrictEqual([200, expect.stringContaining('.swagger-ui')])
    expect(await service.end('SIGTERM')).toBe(0)
  })
})

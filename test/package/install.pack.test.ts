// The tarball in an empty project: imported, required, strictly type-checked, with and without the drivers.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { startCli } from '../support/processes/cli-process.js'
import { readDocExamples } from './doc-examples.js'
import { entries, peers, serving } from './entries.js'
import { INSTALL, makeScratch, type Scratch } from './scratch.js'

const tarball = inject('tarball')
const root = process.cwd()

const names = entries.map(({ name }) => name)

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  },
}

const tsc = (scratch: Scratch, ...options: readonly string[]): Promise<string> =>
  scratch.run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', '.', ...options)

const PORTS = `{ ...makeMemoryStore(), clock: systemClock, crypto: nodeCrypto }`

/** Two apps in one process: a pet of one is unknown to the other. */
const TWO_APPS = `
const ports = () => (${PORTS})
const start = async (its) => {
  const issued = await createApiKey(its)({ name: none, scopes: ['pets:read', 'pets:write'], lifetimeMs: none })()
  const { observer } = DEFAULT_SETTINGS
  const http = makeServer(makeService(its, DEFAULT_SETTINGS), { requestTimeoutMs: 10_000, observer })
  await new Promise((listening) => http.server.listen(0, '127.0.0.1', listening))
  const base = \`http://127.0.0.1:\${http.server.address().port}/v1\`
  const headers = { Authorization: \`Bearer \${issued.right.text}\`, 'Content-Type': 'application/json' }
  const call = async (path, init) => (await fetch(base + path, { ...init, headers })).text()
  return { call, stop: () => stopServer(http, { drainMs: 0, shutdownMs: 10_000 }) }
}
const run = async () => {
  const [one, other] = [await start(ports()), await start(ports())]
  const body = '{"name":"Rex","categoryId":9223372036854775807}'
  console.log(await one.call('/pets', { method: 'POST', body }))
  console.log(await one.call('/pets'), await other.call('/pets'))
  console.log(await one.stop(), await other.stop())
}
run()
`
const NAMES: readonly (readonly [entry: string, names: string])[] = [
  ['animal-store', 'createApiKey'],
  ['animal-store/http', 'DEFAULT_SETTINGS, makeServer, makeService, stopServer'],
  ['animal-store/memory', 'makeMemoryStore'],
  ['animal-store/node', 'nodeCrypto, systemClock'],
  ['fp-ts/lib/Option.js', 'none'],
]
const imports = NAMES.map(([entry, names]) => `import { ${names} } from '${entry}'`).join('\n')
const requires = NAMES.map(([entry, names]) => `const { ${names} } = require('${entry}')`).join('\n')

describe('an install without the optional drivers', () => {
  let scratch: Scratch
  beforeAll(async () => {
    scratch = await makeScratch()
    await scratch.write('package.json', '{ "private": true }')
    await scratch.run('npm', ...INSTALL, '--omit=optional', tarball, ...serving)
    return scratch.remove
  })

  it.each([
    ['imported', 'two-apps.mjs', imports],
    ['required', 'two-apps.cjs', requires],
  ])('serves two apps in one process, %s', async (_, file, head) => {
    await scratch.write(file, head + TWO_APPS)
    const pet = '{"id":1,"name":"Rex","categoryId":9223372036854775807}'
    expect(await scratch.run(process.execPath, file)).toBe(`${pet}\n[${pet}] []\ntrue true\n`)
  })

  it.each([
    [
      'EVENTS_URL: got a value that is not shown',
      '@nats-io/transport-node @nats-io/jetstream',
      { EVENTS_URL: 'nats://a' },
    ],
    ['MONGODB_URI: got a value that is not shown', 'mongodb', { MONGODB_URI: 'mongodb://a/b', EVENTS_URL: '' }],
    ['STORE: got "embedded"', 'lmdb', { DATA_DIR: 'never-made' }],
  ])('names the packages that a setting needs: %s', async (got, packages, settings) => {
    const cli = join(scratch.folder, 'node_modules/animal-store/dist/cli.js')
    const { exit, stdout, stderr } = startCli([cli], settings, 'serve')
    expect(await exit).toBe(78)
    const message = `${got}, wanted its driver, which is not installed: npm install ${packages}\n`
    expect([stdout().includes('listening'), stderr()]).toStrictEqual([false, message])
  })

  it('names the package that metrics need', async () => {
    await rm(join(scratch.folder, 'node_modules/prom-client'), { recursive: true })
    const cli = join(scratch.folder, 'node_modules/animal-store/dist/cli.js')
    const { exit, stderr } = startCli([cli], { STORE: 'memory', METRICS_PORT: '0' }, 'serve')
    expect(await exit).toBe(78)
    expect(stderr()).toContain('prom-client is not installed: install animal-store without --omit=optional\n')
  })
})

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
    const { compilerOptions } = TSCONFIG
    await scratch.write('tsconfig.json', JSON.stringify({ compilerOptions: { ...compilerOptions, types: [] } }))
    await scratch.write(
      'uses.mts',
      `import { Pet, petJson } from 'animal-store'
       import { makeClient } from 'animal-store/client'
       import type { Ports } from 'animal-store/ports'
       declare const console: { readonly log: (text: string) => void }
       export const ids: readonly (keyof Ports)[] = ['ids']
       const pet: Pet = { id: 1n, name: 'Rex', categoryId: 2n }
       if (Pet.is(pet)) console.log(petJson(pet))
       console.log(typeof makeClient)`,
    )
    expect(await tsc(scratch, '--noEmit', 'false')).toBe('')
    expect(await scratch.run(process.execPath, 'uses.mjs')).toBe('{"id":1,"name":"Rex","categoryId":2}\nfunction\n')
  })

  it('has a command line that says what it lacks', async () => {
    const cli = join(scratch.folder, 'node_modules/animal-store/dist/cli.js')
    const { exit, stderr } = startCli([cli], {}, 'serve')
    expect(await exit).toBe(78)
    expect(stderr()).toMatch(/^[\w@/-]+ is not installed: install animal-store without --omit=optional\n$/)
  })
})

describe('an install with everything', () => {
  let scratch: Scratch
  beforeAll(async () => {
    scratch = await makeScratch()
    await scratch.write('package.json', '{ "private": true }')
    // by name: npm skips optional packages that require a newer Node, as a package of NATS does on Node 20
    await scratch.run('npm', ...INSTALL, tarball, ...peers)
    return scratch.remove
  })

  it('type-checks strictly when imported, required and in the examples of its doc comments', async () => {
    await scratch.write('tsconfig.json', JSON.stringify(TSCONFIG))
    await scratch.write('examples.test.mts', readDocExamples().testFile)
    const uses = (name: (at: number) => string) => names.map((_, at) => `console.log(${name(at)})`).join('\n')
    const imported = names.map((entry, at) => `import * as entry${at} from '${entry}'`).join('\n')
    await scratch.write('imports.mts', `${imported}\n${uses((at) => `entry${at}`)}\n`)
    const required = names.map((entry, at) => `import entry${at} = require('${entry}')`).join('\n')
    await scratch.write('requires.cts', `${required}\n${uses((at) => `entry${at}`)}\n`)
    await scratch.write(
      'wrong.mts',
      `import { petFrom } from 'animal-store'
       // @ts-expect-error an id is a bigint
       petFrom(1, { name: 'Rex', categoryId: 1n })\n`,
    )
    expect(await tsc(scratch)).toBe('')
  })

  it('loads every entry by import and by require', async () => {
    const all = names.filter((name) => name !== 'animal-store/testing')
    const program = (load: string) => `(async () => {
      for (const entry of ${JSON.stringify(all)}) console.log(entry, Object.keys(${load}).length > 0)
    })()`
    const expected = all.map((entry) => `${entry} ${entry !== 'animal-store/ports'}\n`).join('')
    await scratch.write('load.mjs', program('await import(entry)'))
    await scratch.write('load.cjs', program('require(entry)'))
    expect(await scratch.run(process.execPath, 'load.mjs')).toBe(expected)
    expect(await scratch.run(process.execPath, 'load.cjs')).toBe(expected)
  })

  it('has a correct example for every public function', async () => {
    const { missing, testFile } = readDocExamples()
    expect(missing).toStrictEqual([])
    await scratch.write('examples.test.mts', testFile)
    await scratch.run('npx', 'vitest', 'run', 'examples.test.mts')
  })

  it('has the command line, which stores keys in the embedded store', async () => {
    const created = await scratch.run('npx', 'animal-store', 'keys', 'create', '--name', 'shop', '--json')
    const { id, key } = JSON.parse(created) as { readonly id: string; readonly key: string }
    expect(key).toMatch(/^ast_live_/)
    const listed = await scratch.run('npx', 'animal-store', 'keys', 'list', '--json')
    expect(JSON.parse(listed)).toMatchObject([{ id, name: 'shop' }])
  })
})

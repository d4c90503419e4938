// The tarball in an empty project: imported, required, strictly type-checked, with and without the drivers.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { docExampleTests } from './doc-examples.js'
import { entries, serving } from './entries.js'
import { INSTALL } from './install.js'
import { makeScratch, type Scratch, scratchIn, TSCONFIG, tsc } from './scratch.js'

const tarball = inject('tarball')

const names = entries.map(({ name }) => name)

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
  ['animal-store', 'makeMemoryStore'],
  ['animal-store/node', 'nodeCrypto, systemClock'],
  ['fp-ts/lib/Option.js', 'none'],
]
const imports = NAMES.map(([entry, names]) => `import { ${names} } from '${entry}'`).join('\n')
const requires = NAMES.map(([entry, names]) => `const { ${names} } = require('${entry}')`).join('\n')

describe('an install with the packages that HTTP needs', () => {
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

  it('says which package a rate limit needs', async () => {
    const rateLimit = '{ ...DEFAULT_SETTINGS, rateLimit: { perSecond: 1, burst: 1 } }'
    await scratch.write('limited.mjs', imports + TWO_APPS.replace('(its, DEFAULT_SETTINGS)', `(its, ${rateLimit})`))
    const program = scratch.start({}, process.execPath, 'limited.mjs')
    expect(await program(/a rate limit needs .*/)).toBe('a rate limit needs the package limiter: npm install limiter')
  })
})

describe('an install with everything', () => {
  let scratch: Scratch
  beforeAll(async () => {
    const folder = join(inject('installed'), 'uses')
    await mkdir(folder)
    scratch = scratchIn(folder)
    await scratch.write('examples.test.mts', docExampleTests())
  })

  it('type-checks strictly when imported, required and in the examples of its doc comments', async () => {
    await scratch.write('tsconfig.json', JSON.stringify(TSCONFIG))
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
    const expected = all.map((entry) => `${entry} true\n`).join('')
    await scratch.write('load.mjs', program('await import(entry)'))
    await scratch.write('load.cjs', program('require(entry)'))
    expect(await scratch.run(process.execPath, 'load.mjs')).toBe(expected)
    expect(await scratch.run(process.execPath, 'load.cjs')).toBe(expected)
  })

  it('has correct examples in its doc comments', async () => {
    expect(await scratch.run('npx', 'vitest', 'run', 'examples.test.mts')).toContain('passed')
  })

  it('has the command line, which stores keys in the embedded store', async () => {
    const created = await scratch.run('npx', 'animal-store', 'keys', 'create', '--name', 'shop', '--json')
    const { id, key } = JSON.parse(created) as { readonly id: string; readonly key: string }
    expect(key).toMatch(/^ast_live_/)
    const listed = await scratch.run('npx', 'animal-store', 'keys', 'list', '--json')
    expect(JSON.parse(listed)).toMatchObject([{ id, name: 'shop' }])
  })
})

// The tarball in a project beside all packages that it can use: imported, required, and its command line.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { entries } from './entries.js'
import { type Scratch, scratchIn } from './scratch.js'

const names = entries.map(({ name }) => name)

const PORTS = `{ ...makeMemoryStore(), clock: systemClock, crypto: nodeCrypto }`

/** Two apps in one process: a pet of one is unknown to the other. */
const TWO_APPS = `
const ports = () => (${PORTS})
const start = async (its) => {
  const issued = await createApiKey(its)({ name: none, scopes: ['pets:read', 'pets:write'], lifetimeMs: none })()
  const { observer } = DEFAULT_SETTINGS
  const http = makeServer(makeListener(its, DEFAULT_SETTINGS), { requestTimeoutMs: 10_000, observer })
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
  ['animal-store/http', 'DEFAULT_SETTINGS, makeServer, makeListener, stopServer'],
  ['animal-store', 'makeMemoryStore'],
  ['animal-store/node', 'nodeCrypto, systemClock'],
  ['fp-ts/lib/Option.js', 'none'],
]
const imports = NAMES.map(([entry, names]) => `import { ${names} } from '${entry}'`).join('\n')
const requires = NAMES.map(([entry, names]) => `const { ${names} } = require('${entry}')`).join('\n')

describe('an install with everything', () => {
  let scratch: Scratch
  beforeAll(async () => {
    const folder = join(inject('installed'), 'uses')
    await mkdir(folder)
    scratch = scratchIn(folder)
  })

  it.each([
    ['imported', 'two-apps.mjs', imports],
    ['required', 'two-apps.cjs', requires],
  ])('serves two apps in one process, %s', async (_, file, head) => {
    await scratch.write(file, head + TWO_APPS)
    const pet = '{"id":1,"name":"Rex","categoryId":9223372036854775807}'
    expect(await scratch.run(process.execPath, file)).toBe(`${pet}\n[${pet}] []\ntrue true\n`)
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
})

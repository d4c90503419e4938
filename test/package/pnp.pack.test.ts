// Each entry in a project of Yarn's Plug'n'Play that has exactly the packages of its row in docs/embedding.md: imported there, and as a
// bundle that runs alone.
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { rows } from './rows.js'
import { makeScratch, type Scratch } from './scratch.js'

const YARN = '@yarnpkg/cli-dist@4.18.1'

/** No package falls back to what the root, or another workspace, has. */
const CONFIG = `nodeLinker: pnp
pnpFallbackMode: none
enableTelemetry: false
enableScripts: false
enableImmutableInstalls: false
`

const ports = `import { makeMemoryStore } from 'animal-store'
import { nodeCrypto, systemClock } from 'animal-store/node'
const ports = { ...makeMemoryStore(), clock: systemClock, crypto: nodeCrypto }`

/** Uses what the entry is for, as far as that takes no other service; prints `works`. */
const USES: Readonly<Record<string, string>> = {
  'animal-store/fetch': `${ports}
import { DEFAULT_HANDLER, makeFetchHandler } from 'animal-store/fetch'
const handle = makeFetchHandler(ports, DEFAULT_HANDLER)
const limited = makeFetchHandler(ports, { ...DEFAULT_HANDLER, rateLimit: { perSecond: 1, burst: 1 }, observer: {
  ...DEFAULT_HANDLER.observer, failed: (cause) => console.log(cause.message) } })
const run = async () => {
  console.log((await handle(new Request('http://a/health/live'))).status)
  console.log((await limited(new Request('http://a/v1/pets', { headers: { Authorization: 'Bearer wrong' } }))).status)
  console.log('works')
}
export const done = run()`,
  'animal-store/http': `${ports}
import { createApiKey, SCOPES } from 'animal-store'
import { DEFAULT_SERVICE, loadJsonLog, loadMetrics, silentLog, startService } from 'animal-store/http'
import { none } from 'fp-ts/lib/Option.js'
const store = makeMemoryStore()
const run = async () => {
  const key = (await createApiKey({ ...ports, ...store })({ name: none, scopes: SCOPES, lifetimeMs: none })()).right.text
  const service = (await startService({ ...DEFAULT_SERVICE, port: 0, drainMs: 0 }, { store, log: silentLog })()).right
  const headers = { Authorization: \`Bearer \${key}\`, 'Content-Type': 'application/json' }
  const body = '{"name":"Rex","categoryId":7}'
  console.log((await fetch(service.url + '/pets', { method: 'POST', headers, body })).status)
  await service.stop()
  for (const load of [loadMetrics, loadJsonLog]) await load().catch(({ message }) => console.log(message))
  console.log('works')
}
export const done = run()`,
}

/** What these programs print before `works`. */
const PRINTED: Readonly<Record<string, string>> = {
  'animal-store/fetch': '200\na rate limit needs the package limiter: npm install limiter\n500\n',
  'animal-store/http':
    '201\nmetrics need the package prom-client: npm install prom-client\nthis log needs the package pino: npm install pino\n',
}

/** Loads each file after the other, and prints what they do: one process instead of one for each. */
const inTurn = (files: readonly string[]): string => `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
for (const file of ${JSON.stringify(files)}) {
  console.log('# ' + file)
  try {
    await (file.endsWith('.cjs') ? require(file) : await import(file)).done
  } catch (error) {
    console.log(error)
  }
}`

/** What each file has printed. */
const printedBy = (output: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    output
      .split(/^# /m)
      .slice(1)
      .map((part): [string, string] => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]),
  )

const importOf = (entry: string): string => `import * as entry from '${entry}'
if (Object.keys(entry).length > 0) console.log('works')`

/** vitest loads it, and nothing else can. */
const tried = rows.filter(({ entry }) => entry !== 'animal-store/testing')
const folderOf = (entry: string): string => entry.replace('/', '-')
const split = (spec: string): readonly [name: string, version: string] => {
  const at = spec.lastIndexOf('@')
  return [spec.slice(0, at), spec.slice(at + 1)]
}

/** Native code, which no bundle can hold. */
const { optionalDependencies: native } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly optionalDependencies: Readonly<Record<string, string>>
}
const isNative = (spec: string): boolean => split(spec)[0] in native

/** Packages of CommonJS call `require`. */
const BANNER = "import { createRequire as forBundle } from 'node:module'; const require = forBundle(import.meta.url);"

const bundles = [
  ...tried.map((row) => ({ ...row, format: 'esm' as const })),
  // the only entry that asks where it is
  ...tried.filter(({ entry }) => entry === 'animal-store/http').map((row) => ({ ...row, format: 'cjs' as const })),
]

describe('an entry with the packages of its row alone', () => {
  let scratch: Scratch
  const runInProject = (file: string): Promise<string> => {
    const loaders = ['--require', './.pnp.cjs', '--experimental-loader', './.pnp.loader.mjs', '--no-warnings']
    return scratch.run(process.execPath, ...loaders, file)
  }

  beforeAll(async () => {
    scratch = await makeScratch()
    const workspaces = tried.map(({ entry }) => folderOf(entry))
    await scratch.write('package.json', JSON.stringify({ private: true, workspaces }))
    await scratch.write('.yarnrc.yml', CONFIG)
    await scratch.write('yarn.lock', '')
    for (const { entry, installed } of tried) {
      const [name, packages] = [folderOf(entry), Object.fromEntries(installed.map(split))]
      // the programs name fp-ts themselves
      const dependencies = { 'animal-store': `file:${inject('tarball')}`, 'fp-ts': '2', ...packages }
      await mkdir(join(scratch.folder, name))
      await scratch.write(`${name}/package.json`, JSON.stringify({ name: `uses-${name}`, dependencies }))
      await scratch.write(`${name}/use.mjs`, USES[entry] ?? importOf(entry))
    }
    await scratch.run('npx', '--yes', '-p', YARN, 'yarn', 'install')
    return scratch.remove
  })

  it("can be imported under Yarn's Plug'n'Play, each", async () => {
    const files = tried.map(({ entry }) => `./${folderOf(entry)}/use.mjs`)
    await scratch.write('all.mjs', inTurn(files))
    const expected = tried.map(({ entry }) => `${PRINTED[entry] ?? ''}works\n`)
    expect(printedBy(await runInProject('all.mjs'))).toStrictEqual(
      Object.fromEntries(files.map((file, at) => [file, expected[at]])),
    )
  })

  it('runs as a bundle, each', async () => {
    const outside = await makeScratch()
    onTestFinished(outside.remove)
    const bundle = async ({ entry, format, installed }: (typeof bundles)[number]) => {
      const isInProject = installed.some(isNative)
      const file = `./${folderOf(entry)}-bundle.${format === 'esm' ? 'mjs' : 'cjs'}`
      await build({
        entryPoints: [join(scratch.folder, folderOf(entry), 'use.mjs')],
        outfile: isInProject ? join(scratch.folder, folderOf(entry), file) : join(outside.folder, file),
        // where esbuild looks for .pnp.cjs
        absWorkingDir: scratch.folder,
        bundle: true,
        platform: 'node',
        format,
        external: Object.keys(native),
        banner: format === 'esm' ? { js: BANNER } : {},
        logLevel: 'silent',
      })
      return { entry, isInProject, file: isInProject ? `./${folderOf(entry)}/${file.slice(2)}` : file }
    }
    const made = await Promise.all(bundles.map(bundle))
    const files = (isInProject: boolean) =>
      made.filter((one) => one.isInProject === isInProject).map(({ file }) => file)
    await scratch.write('bundles.mjs', inTurn(files(true)))
    await outside.write('bundles.mjs', inTurn(files(false)))
    const printed = [await runInProject('bundles.mjs'), await outside.run(process.execPath, 'bundles.mjs')]
    expect(printedBy(printed.join(''))).toStrictEqual(
      Object.fromEntries(made.map(({ entry, file }) => [file, `${PRINTED[entry] ?? ''}works\n`])),
    )
  })
})

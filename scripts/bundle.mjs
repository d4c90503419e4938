// bundle.mjs [FOLDER]: bundles the command line and tracing with their packages into dist, or FOLDER for unit tests.
// An install then brings only the packages of the domain, and a start opens few files. Also writes the
// licences and the bill of materials of the bundled packages.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { build } from 'esbuild'
import { parse } from 'yaml'

const require = createRequire(import.meta.url)
const outdir = process.argv[2] ?? 'dist'

/** Packages that the MongoDB driver uses only if they are installed: authentication, compression, encryption, proxies. */
const OUTSIDE = [
  ...['@aws-sdk/credential-providers', '@mongodb-js/zstd', 'gcp-metadata', 'kerberos', 'mongodb-client-encryption'],
  ...['snappy', 'socks'],
]
const isOutside = (path) =>
  path.startsWith('node:') || OUTSIDE.some((name) => path === name || path.startsWith(`${name}/`))

/** Libraries of pure functions: esbuild bundles only what is called from their ES modules. */
const PURE = ['fp-ts', 'io-ts']

const folderOf = (name) => dirname(require.resolve(`${name}/package.json`))

const modulePath = (path) => {
  const [name, ...inside] = path.split('/')
  return join(folderOf(name), 'es6', `${basename(inside.at(-1) ?? 'index', '.js')}.js`)
}

/** @type {import('esbuild').Plugin} */
const packages = {
  name: 'packages',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[^./]/ }, ({ path, kind, namespace, importer }) => {
      if (kind === 'entry-point') return undefined
      if (PURE.includes(path.split('/')[0])) return { path: modulePath(path) }
      const isOurs = kind !== 'require-call' && namespace === 'file' && !importer.includes('node_modules')
      if (isOurs && !path.startsWith('node:')) return { path, namespace: 'package' }
      return isOutside(path) ? { path, external: true } : undefined
    })
    onLoad({ filter: /./, namespace: 'package' }, ({ path }) => {
      // Constants: with calls through esbuild's own view of a CommonJS module, requests would take a fifth longer
      const names = Object.keys(require(path)).filter((name) => name !== 'default')
      const constants = names.map((name, at) => `const n${at} = all.${name}; export { n${at} as ${name} }`)
      const contents = [`const all = require(${JSON.stringify(path)})`, 'export default all', ...constants].join('\n')
      return { contents, resolveDir: import.meta.dirname }
    })
  },
}

const { metafile } = await build({
  entryPoints: {
    main: 'src/main.ts',
    'writer-thread': 'src/adapters/sqlite/writing/writer-thread.ts',
    tracing: 'src/exports/tracing.ts',
  },
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  plugins: [packages],
  // CommonJS packages expect these
  banner: {
    js: "import { createRequire as requireIn } from 'node:module'; const require = requireIn(import.meta.url); const __dirname = import.meta.dirname;",
  },
  entryNames: '[name]',
  chunkNames: 'cli-[name]-[hash]',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
  metafile: true,
})

// A file of its own, because what older versions of Node.js load must not import a chunk that they cannot
await build({
  entryPoints: ['src/cli.ts'],
  outdir,
  bundle: true,
  external: ['./main.js'],
  format: 'esm',
  platform: 'node',
  target: 'node18',
})

for (const file of readdirSync(outdir).filter((name) => name.startsWith('cli-')))
  if (!(join(outdir, file) in metafile.outputs)) rmSync(join(outdir, file))

// Parsing YAML takes 100 ms, which would block the service
for (const name of ['openapi', 'asyncapi'])
  writeFileSync(`${outdir}/${name}.json`, JSON.stringify(parse(readFileSync(`${name}.yaml`, 'utf8'))))

const swaggerUi = folderOf('swagger-ui-dist')
mkdirSync(join(outdir, 'swagger-ui'), { recursive: true })
const BUNDLE = 'swagger-ui-bundle.js'
// the third file has the notices of the packages inside the bundle
for (const file of ['swagger-ui.css', BUNDLE, `${BUNDLE}.LICENSE.txt`, 'favicon-32x32.png'])
  cpSync(join(swaggerUi, file), join(outdir, 'swagger-ui', file))

// Whoever redistributes these packages must include their licences, and security scanners must find them
const inside = Object.keys(metafile.inputs).flatMap(
  (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
)
const bundled = [...new Set([...inside, relative('.', swaggerUi)])].sort()
const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const licenceOf = (folder) => {
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|notice)/i.test(name))
  const { name, version, license, author } = manifestOf(folder)
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'))
  if (texts.length === 0) texts.push(`${license}, ${author?.name ?? author ?? `the authors of ${name}`}\n`)
  return [`${name} ${version}`, ...texts].join('\n\n')
}
writeFileSync(join(outdir, 'cli-licences.txt'), bundled.map(licenceOf).join('\n'))

const components = bundled.map((folder) => {
  const { name, version, license } = manifestOf(folder)
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: [{ expression: license }] }
})
const { name, version } = manifestOf('.')
const metadata = { component: { type: 'application', 'bom-ref': `${name}@${version}`, name, version } }
const unique = [...new Map(components.map((one) => [one.purl, one])).values()]
writeFileSync(
  join(outdir, 'cli.cdx.json'),
  JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata, components: unique }, null, 2),
)

// esbuild.config.mjs [FOLDER]: bundles our own part of the command line, into dist or, for the unit tests, into another folder. A start
// then opens fewer files. Most packages stay outside, where audits see them, and are loaded by `require`: Node analyses the source of each CommonJS package that is imported, which takes a third of a start.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'
import { parse } from 'yaml'

const require = createRequire(import.meta.url)
const outdir = process.argv[2] ?? 'dist'

/** Libraries of pure functions, of which every start would load far more than it calls: a seventh of its time (measured). */
const BUNDLED = ['fp-ts', 'io-ts']

const folderOf = (name) => dirname(require.resolve(`${name}/package.json`))

/** Their ES modules, from which esbuild takes only what is called. */
const modulePath = (path) => {
  const [name, ...inside] = path.split('/')
  return join(folderOf(name), 'es6', `${basename(inside.at(-1) ?? 'index', '.js')}.js`)
}

/** @type {import('esbuild').Plugin} */
const requirePackages = {
  name: 'require-packages',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[^./]/ }, ({ path, kind, namespace }) => {
      if (kind === 'entry-point') return undefined
      if (BUNDLED.includes(path.split('/')[0])) return { path: modulePath(path) }
      const isStatic = kind === 'import-statement' && namespace === 'file'
      return isStatic && !path.startsWith('node:') ? { path, namespace: 'package' } : { path, external: true }
    })
    onLoad({ filter: /./, namespace: 'package' }, ({ path }) => {
      // constants: calls through esbuild's own view of a CommonJS module would take a fifth longer per request
      const names = Object.keys(require(path)).filter((name) => name !== 'default')
      const constants = names.map((name, at) => `const n${at} = all.${name}; export { n${at} as ${name} }`)
      return {
        contents: [`const all = require(${JSON.stringify(path)})`, 'export default all', ...constants].join('\n'),
      }
    })
  },
}

await build({
  entryPoints: ['src/cli.ts', 'src/commands/store/verify-process.ts', 'src/adapters/node/parsing-thread.ts'],
  outdir,
  bundle: true,
  // the folder of the unit tests keeps no chunks of former sources
  splitting: outdir === 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  plugins: [requirePackages],
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  entryNames: '[name]',
  chunkNames: 'cli-[name]-[hash]',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
})

// parsing YAML takes 100 ms, which would block the service
for (const name of ['openapi', 'asyncapi'])
  writeFileSync(`${outdir}/${name}.json`, JSON.stringify(parse(readFileSync(`${name}.yaml`, 'utf8'))))

// whoever passes these libraries on must pass on their licences
const licences = BUNDLED.map((name) => `${name}\n\n${readFileSync(join(folderOf(name), 'LICENSE'), 'utf8')}`)
writeFileSync(`${outdir}/cli-licences.txt`, licences.join('\n'))

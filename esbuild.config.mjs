// Bundles our own part of the command line: fewer files to open at each start. Packages stay outside, where audits see them, and
// are loaded by `require`: Node analyses the source of each CommonJS package that is imported, which takes a third of a start.
import { createRequire } from 'node:module'
import { build } from 'esbuild'

const require = createRequire(import.meta.url)

/** @type {import('esbuild').Plugin} */
const requirePackages = {
  name: 'require-packages',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[^./]/ }, ({ path, kind, namespace }) => {
      if (kind === 'entry-point') return undefined
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
  entryPoints: ['src/cli.ts', 'src/commands/store/verify-process.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
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

// Bundles a program that opens an embedded store: a TypeScript loader does not reach the store's thread.
import { join, parse } from 'node:path'
import { buildSync } from 'esbuild'

export const bundleProgram = (source: string): string => {
  const { name } = parse(source)
  const outdir = join('reports', 'programs', `${name}-${process.pid}`)
  buildSync({
    entryPoints: [source, 'src/adapters/sqlite/writing/writer-thread.ts'],
    entryNames: '[name]',
    outdir,
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
  })
  return join(outdir, `${name}.js`)
}

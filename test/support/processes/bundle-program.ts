// Bundles a program of the tests that opens an embedded store, whose thread a loader of TypeScript does not reach.
import { join, parse } from 'node:path'
import { buildSync } from 'esbuild'

/** Returns the path of a program that Node runs by itself. */
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

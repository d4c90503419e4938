// Node cannot run TypeScript in a thread: under test, the embedded store writes with a bundle of its program.
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import type { Plugin } from 'vitest/config'

const PROGRAM = "new URL('./writer-thread.js', import.meta.url)"
const BUNDLE = 'reports/threads/writer-thread.js'

const bundleWriterThread = (outfile: string): void => {
  buildSync({
    entryPoints: ['src/adapters/sqlite/writing/writer-thread.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    // ES modules can be tree-shaken, which halves the startup of the thread
    alias: { 'fp-ts/lib': 'fp-ts/es6', 'io-ts/lib': 'io-ts/es6' },
    logLevel: 'warning',
  })
}

export const writerThread = (): Plugin => {
  bundleWriterThread(BUNDLE)
  return {
    name: 'writer-thread',
    enforce: 'pre',
    transform: (code, id) => {
      if (!id.endsWith('/src/adapters/sqlite/writing/writer.ts')) return undefined
      if (!code.includes(PROGRAM)) throw new Error(`expected ${PROGRAM} in ${id}`)
      return code.replace(PROGRAM, `new URL(${JSON.stringify(pathToFileURL(BUNDLE).href)})`)
    },
  }
}

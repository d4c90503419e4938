// `npm run docs` writes the files of one create into docs/architecture.md.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { buildSync } from 'esbuild'
import { groupBy } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { expect, it } from 'vitest'

const PAGE = 'docs/architecture.md'
const BLOCK = /(?<=<!-- create -->\n)[\s\S]*(?=<!-- \/create -->)/

/** May only fall: readers must open these files to follow a create. */
const MAX_FILES = 30

const run = promisify(execFile)

/** Node cannot run TypeScript in the writer thread. */
const OUT = 'reports/one-create'

/** The writer thread's modules, which the main thread's profile does not show. */
const inThread = (): readonly string[] => {
  const entryPoints = ['src/adapters/sqlite/writing/writer-thread.ts']
  const { metafile } = buildSync({ entryPoints, bundle: true, packages: 'external', write: false, metafile: true })
  return Object.keys(metafile.inputs).filter((path) => path.startsWith('src/adapters/sqlite/'))
}

it('a create runs the files that docs/architecture.md names, and no more than before', async () => {
  const entryPoints = ['src/**/*.ts', 'test/support/processes/one-create.ts', 'test/support/processes/config-of.ts']
  buildSync({ entryPoints, outdir: OUT, outbase: '.', format: 'esm', platform: 'node' })
  const { stderr } = await run(process.execPath, [`${OUT}/test/support/processes/one-create.js`])
  const ran = stderr
    .trim()
    .split('\n')
    .map((path) => path.replace(/\.js$/, '.ts'))
  const files = [...new Set([...ran, ...inThread()])].sort()
  expect(files.length).toBeLessThanOrEqual(MAX_FILES)
  const rows = Object.entries(groupBy(dirname)(files)).map(([folder, within]) => {
    const names = within.map((path) => `\`${path.slice(folder.length + 1).replace(/\.ts$/, '')}\``)
    return `| \`${folder}\` | ${names.join(', ')} |\n`
  })
  const table = `| ${files.length} files, in | |\n| --- | --- |\n${rows.join('')}`
  const page = await readFile(PAGE, 'utf8')
  await expect(page.replace(BLOCK, table)).toMatchFileSnapshot(resolve(PAGE))
})

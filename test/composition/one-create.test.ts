// `npm run docs` writes the files of one create into docs/architecture.md.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { groupBy } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { expect, it } from 'vitest'

const PAGE = 'docs/architecture.md'
const BLOCK = /(?<=<!-- create -->\n)[\s\S]*(?=<!-- \/create -->)/

/** May only fall: a reader of the path of a create has to open them. */
const MOST_FILES = 48

const run = promisify(execFile)

it('a create runs the files that docs/architecture.md names, and no more than before', async () => {
  const { stderr } = await run(process.execPath, ['--import', 'tsx', 'test/support/processes/one-create.ts'])
  const files = stderr.trim().split('\n')
  expect(files.length).toBeLessThanOrEqual(MOST_FILES)
  const rows = Object.entries(groupBy(dirname)(files)).map(([folder, within]) => {
    const names = within.map((path) => `\`${path.slice(folder.length + 1).replace(/\.ts$/, '')}\``)
    return `| \`${folder}\` | ${names.join(', ')} |\n`
  })
  const table = `| ${files.length} files, in | |\n| --- | --- |\n${rows.join('')}`
  const page = await readFile(PAGE, 'utf8')
  await expect(page.replace(BLOCK, table)).toMatchFileSnapshot(resolve(PAGE))
})

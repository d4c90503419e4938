// docs/conformance.md lists the promises. The titles of their tests end with the row's name in brackets, and
// `npm run docs` writes the tests beside each row.
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const PAGE = 'docs/conformance.md'
const ROW = /^\| `(.+?)` \| (.+?) \|.*$/gm
const VERSIONS = /^Versions: .*$/m
const NAMED = /(['"`])((?:\\.|(?!\1).)*) \[([a-z0-9][a-z0-9 -]*)\]\1/g

const read = (path: string): string => readFileSync(path, 'utf8')
const found = (path: string, pattern: RegExp): string => pattern.exec(read(path))?.[1] ?? ''

const page = read(PAGE)
const rows = [...page.matchAll(ROW)].map(([, row = '']) => row)

/** Titles are as in the source, without the row names. */
const tests = ['src/testing/contracts', 'test']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:test|contract)\.ts$/.test(name))
      .sort()
      .map((name) => `${folder}/${name}`),
  )
  .flatMap((file) =>
    [...read(file).matchAll(NAMED)].map(([, , title = '', names = '']) => ({ file, title, names: names.split(' ') })),
  )

const shown = (row: string): string =>
  tests
    .filter(({ names }) => names.includes(row))
    .map(({ title, file }) => `${title.replaceAll('|', '\\|')} (\`${file}\`)`)
    .join('<br>')

const versions = (): string =>
  [
    `animal-store ${found('package.json', /"version": "(.+)"/)}`,
    `interface ${found('openapi.yaml', /^ {2}version: (.+)$/m)}`,
    `Node.js ${found('package.json', /"node": "(.+)"/)}`,
    `Schemathesis ${found('test/schema/requirements.txt', /^schemathesis==(.+)$/m)}`,
  ].join(', ')

it('every row of the contract has a test, and every name in a title has a row', () => {
  expect(rows.length).toBeGreaterThan(75)
  expect(rows).toStrictEqual([...new Set(rows)])
  expect([...new Set(tests.flatMap(({ names }) => names))].sort()).toStrictEqual(rows.toSorted())
})

it('the page shows the tests of each row', async () => {
  const current = page
    .replace(VERSIONS, `Versions: ${versions()}.`)
    .replace(ROW, (_, row: string, promise: string) => `| \`${row}\` | ${promise} | ${shown(row)} |`)
  await expect(current).toMatchFileSnapshot(resolve(PAGE))
})

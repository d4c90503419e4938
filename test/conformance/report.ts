// docs/conformance.md: each row of the contract, with the tests that name it in their titles.
import { readdirSync, readFileSync } from 'node:fs'
import { SECTIONS } from './rows.js'

const NAMED = /(['"`])((?:\\.|(?!\1).)*) \[([a-z0-9][a-z0-9 -]*)\]\1/g

const read = (path: string): string => readFileSync(path, 'utf8')

/** Titles are as in the source, without the row names. */
export const namedTests = () =>
  ['src/testing/contracts', 'test']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:test|contract)\.ts$/.test(name))
        .sort()
        .map((name) => `${folder}/${name}`),
    )
    .flatMap((file) =>
      [...read(file).matchAll(NAMED)].map(([, , title = '', rows = '']) => ({ file, title, rows: rows.split(' ') })),
    )

const found = (path: string, pattern: RegExp): string => pattern.exec(read(path))?.[1] ?? ''

const versions = (): readonly (readonly [string, string])[] => [
  ['animal-store', found('package.json', /"version": "(.+)"/)],
  ['interface', found('openapi.yaml', /^ {2}version: (.+)$/m)],
  ['Node.js', found('package.json', /"node": "(.+)"/)],
  ['Schemathesis', found('test/schema/requirements.txt', /^schemathesis==(.+)$/m)],
]

const INTRODUCTION = `# Conformance

Each clause of the interface, and each decision where it is silent, with the tests that hold it: their titles name the row. A unit test fails if a row has no
test, or if this page is out of date; \`.ci/run\` fails if one of these tests does not pass, or does not run.

The HTTP suites use the store in memory. The contract suites and \`the embedded store answers any requests like the memory store\` carry their results over to
the other stores. The client of all HTTP tests checks each response against openapi.yaml (\`test/support/http/client.ts\`), so each holds the rows about every
answer.`

export const reportText = (): string => {
  const tests = namedTests()
  const shown = (row: string): string =>
    tests
      .filter(({ rows }) => rows.includes(row))
      .map(({ title, file }) => `${title.replaceAll('|', '\\|')} (\`${file}\`)`)
      .join('<br>')
  const lines = Object.entries(SECTIONS).flatMap(([name, rows]) => [
    `| | **${name}** | |`,
    ...Object.entries(rows).map(([row, promise]) => `| \`${row}\` | ${promise} | ${shown(row)} |`),
  ])
  const versionTexts = versions().map(([name, version]) => `${name} ${version}`)
  return `${INTRODUCTION}

Versions: ${versionTexts.join(', ')}.

| row | promise | tests |
| --- | --- | --- |
${lines.join('\n')}
`
}

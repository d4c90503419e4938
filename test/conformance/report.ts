// docs/conformance.md: the rows of the contract, each with the tests whose titles name it; and which rows a run of tests has held.
import { readdirSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { SECTIONS } from './rows.js'

export const ROWS: readonly string[] = Object.values(SECTIONS).flatMap((rows) => Object.keys(rows))

const NAMED = /(['"`])((?:\\.|(?!\1).)*) \[([a-z0-9][a-z0-9 -]*)\]\1/g

/** The rows that a title names, in a source or in a report of vitest. */
const rowsIn = (title: string): readonly string[] => / \[([a-z0-9][a-z0-9 -]*)\]$/.exec(title)?.[1]?.split(' ') ?? []

const read = (path: string): string => readFileSync(path, 'utf8')

/** All tests that name rows; titles are as the source has them, without the rows. */
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

/** The members that are read of a report of vitest. */
export interface TestReport {
  readonly testResults: readonly {
    /** The path of the file. */
    readonly name: string
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

/** The rows that no test of the reports held, or that one of them did not hold, each with the reason. */
export const notHeld = (reports: readonly TestReport[]): readonly string[] => {
  const results = reports.flatMap(({ testResults }) => testResults.flatMap((file) => file.assertionResults))
  const named = results.map(({ title, status }) => ({ title, status, rows: rowsIn(title) }))
  return ROWS.flatMap((row) => {
    const mine = named.filter(({ rows }) => rows.includes(row))
    const failed = mine.filter(({ status }) => status !== 'passed')
    return mine.length === 0
      ? [`${row}: no test ran`]
      : failed.map(({ title, status }) => `${row}: ${status}: ${title}`)
  })
}

/** How many tests of each file have passed for a row, for the page of a run. */
const passedIn =
  (reports: readonly TestReport[]) =>
  (row: string): string =>
    reports
      .flatMap(({ testResults }) => testResults)
      .flatMap(({ name, assertionResults }) => {
        const passed = assertionResults.filter(
          ({ title, status }) => status === 'passed' && rowsIn(title).includes(row),
        )
        return passed.length === 0 ? [] : [`${passed.length} of \`${relative('.', name)}\``]
      })
      .join('<br>')

const found = (path: string, pattern: RegExp): string => pattern.exec(read(path))?.[1] ?? ''

const versions = (): readonly (readonly [string, string])[] => [
  ['animal-store', found('package.json', /"version": "(.+)"/)],
  ['interface', found('openapi.yaml', /^ {2}version: (.+)$/m)],
  ['Node.js', found('package.json', /"node": "(.+)"/)],
  ['Schemathesis', found('test/schema/requirements.txt', /^schemathesis==(.+)$/m)],
]

const INTRODUCTION = `# Conformance

Each clause of the interface, and each decision where it is silent, with the tests that hold it: their titles name the row. A unit test fails if a row has no
test, or if this page is out of date; \`.ci/run\` fails if one of these tests has not passed, and writes the page with its results to \`reports/conformance.md\`.
\`npm run conformance -- STORE\` runs them alone, on the store \`embedded\` or \`mongodb\`.

The HTTP suites use the store in memory. The contract suites and \`the embedded store answers any requests like the memory store\` carry their results over to
the other stores. The client of all HTTP tests checks each response against openapi.yaml (\`test/support/http/client.ts\`), so each holds the rows about every
answer.`

const titlesOf =
  (tests: ReturnType<typeof namedTests>) =>
  (row: string): string =>
    tests
      .filter(({ rows }) => rows.includes(row))
      .map(({ title, file }) => `${title.replaceAll('|', '\\|')} (\`${file}\`)`)
      .join('<br>')

/** The page: with the titles of the tests or, from the reports of a run, with how many have passed. */
export const reportText = (reports?: readonly TestReport[]): string => {
  const shown = reports === undefined ? titlesOf(namedTests()) : passedIn(reports)
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

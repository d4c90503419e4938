// docs/conformance.md: the rows of the contract, each with the tests that hold it.
import { readFileSync } from 'node:fs'
import { ANSWERS } from './answer-rows.js'
import { INTERFACE } from './interface-rows.js'
import { REQUESTS } from './request-rows.js'
import { FILES, type Section, type TestName } from './row.js'
import { RUNNING } from './running-rows.js'

export const SECTIONS: readonly Section[] = [...INTERFACE, ...REQUESTS, ...ANSWERS, ...RUNNING]

export interface NamedTest {
  readonly file: string
  readonly title: string
}

export const namedTest = (name: TestName): NamedTest => {
  const file = Object.entries(FILES).find(([short]) => name.startsWith(`${short}: `))
  if (file === undefined) throw new Error(`no file for ${name}`)
  return { file: file[1], title: name.slice(file[0].length + 2) }
}

const read = (path: string): string => readFileSync(path, 'utf8')
const found = (path: string, pattern: RegExp): string => pattern.exec(read(path))?.[1] ?? ''

const versions = (): readonly (readonly [string, string])[] => [
  ['animal-store', found('package.json', /"version": "(.+)"/)],
  ['interface', found('openapi.yaml', /^ {2}version: (.+)$/m)],
  ['Node.js', found('package.json', /"node": "(.+)"/)],
  ['Schemathesis', found('test/schema/requirements.txt', /^schemathesis==(.+)$/m)],
]

const shownTest = (name: TestName): string => {
  const { file, title } = namedTest(name)
  return `${title.replaceAll('|', '\\|')} (\`${file}\`)`
}

const sectionText = ({ name, rows }: Section): string =>
  [
    `## ${name}`,
    '',
    '| row | promise | tests |',
    '| --- | --- | --- |',
    ...rows.map(({ id, title, tests }) => `| \`${id}\` | ${title} | ${tests.map(shownTest).join('<br>')} |`),
  ].join('\n')

const INTRODUCTION = `# Conformance

Each clause of the interface, and each decision where it is silent, with the tests that hold it. A unit test fails if a row names
no test, if a named test is gone, or if this page is out of date. \`npm run conformance -- STORE\` runs these tests: the suites of
HTTP, the generated requests and the faults, on the store \`embedded\` or \`mongodb\`. It fails unless each named test has passed.

The HTTP suites use the store in memory. The contract suites and \`the embedded store answers any requests like the memory store\`
carry their results over to the other stores. The client of all HTTP tests checks each response against openapi.yaml
(\`test/support/http/client.ts\`), so the rows about every answer name the tests of that check.`

export const reportText = (): string =>
  [
    INTRODUCTION,
    ['| version of | is |', '| --- | --- |', ...versions().map(([name, version]) => `| ${name} | ${version} |`)].join(
      '\n',
    ),
    ...SECTIONS.map(sectionText),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n')

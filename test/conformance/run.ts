// `npm run conformance -- STORE`: runs the tests that rows of the contract name, and fails unless each of them has passed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { namedTest, SECTIONS } from './report.js'

interface TestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

/** Contract suites are run by the tests of each store. */
const SUITES: Readonly<Record<string, readonly string[]>> = {
  embedded: ['test/adapters/lmdb/lmdb.test.ts', 'test/adapters/memory/memory.test.ts'],
  mongodb: ['test/adapters/mongodb/contracts.int.test.ts', 'test/adapters/mongodb/model.int.test.ts'],
}
/** Faults of the other store say nothing about this one. */
const OTHERS: Readonly<Record<string, RegExp>> = { embedded: /mongodb/, mongodb: /lmdb/ }

const store = process.argv[2] ?? 'embedded'
const suites = SUITES[store]
const others = OTHERS[store]
if (suites === undefined || others === undefined) {
  console.error(`got ${store}, wanted one of ${Object.keys(SUITES).join(', ')}`)
  process.exit(2)
}

const rows = SECTIONS.flatMap((section) => section.rows)
const named = rows.flatMap(({ id, tests }) => tests.map((name) => ({ id, ...namedTest(name) })))
const mine = named.filter(({ file }) => !others.test(file))
const files = [...new Set([...suites, ...mine.map(({ file }) => file)])].filter((file) => file.endsWith('.test.ts'))

const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
const report = join(folder, 'report.json')
const projects = ['unit', 'int', 'schema', 'fault', 'hostile'].flatMap((name) => ['--project', name])
const vitest = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...files], {
  env: { ...process.env, STORE: store, TEST_REPORT: report },
  stdio: 'inherit',
})
const [code] = await once(vitest, 'exit')
const { testResults } = JSON.parse(await readFile(report, 'utf8')) as TestReport
await rm(folder, { recursive: true })

/** The title of a table's row matches that of its table. */
const patternOf = (title: string): RegExp =>
  new RegExp(`^${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/%(?:\\#|[a-z#])|\\\$\w+/g, '[^]*')}$`)

const notHeld = mine.filter(({ file, title }) => {
  const pattern = patternOf(title)
  // a contract suite runs in the files that call it
  const isIn = (path: string): boolean => path.endsWith(`/${file}`) || file.endsWith('.contract.ts')
  const results = testResults.filter(({ name }) => isIn(name)).flatMap(({ assertionResults }) => assertionResults)
  const matching = results.filter((result) => pattern.test(result.title))
  return matching.length === 0 || matching.some(({ status }) => status !== 'passed')
})
for (const { id, file, title } of notHeld) console.error(`not held: ${id}: ${title} (${file})`)
console.error(`${rows.length} rows, ${mine.length} tests on the store ${store}, ${notHeld.length} not held`)
process.exit(code === 0 && notHeld.length === 0 ? 0 : 1)

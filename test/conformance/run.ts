// `npm run conformance -- STORE`: runs the tests that name rows of the contract, and fails unless each row is held.
// `npm run conformance -- REPORT…`: judges the reports of tests that have run. Both write reports/conformance.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SUITE_FILES } from '../support/stores/suite-files.js'
import { namedTests, notHeld, ROWS, reportText, type TestReport } from './report.js'

/** Contract suites are run by the tests of each store. */
const SUITES: Readonly<Record<string, readonly string[]>> = {
  embedded: [SUITE_FILES.embedded, SUITE_FILES.memory],
  mongodb: [SUITE_FILES.mongodb, 'test/adapters/mongodb/model.int.test.ts'],
}
/** Faults of the other store say nothing about this one. */
const OTHERS: Readonly<Record<string, RegExp>> = { embedded: /mongodb/, mongodb: /sqlite/ }
/** A table's row may be empty, as in `%s`, so only the end of a title counts. */
const NAMED = ' \\[[a-z0-9 -]+\\]$'

const judge = async (reports: readonly string[]): Promise<number> => {
  const read = await Promise.all(reports.map(async (path) => JSON.parse(await readFile(path, 'utf8')) as TestReport))
  const missed = notHeld(read)
  await mkdir('reports', { recursive: true })
  await writeFile('reports/conformance.md', reportText(read))
  for (const line of missed) console.error(`not held: ${line}`)
  console.error(`${ROWS.length} rows, ${missed.length} failures`)
  return missed.length === 0 ? 0 : 1
}

const run = async (store: string): Promise<number> => {
  const suites = SUITES[store]
  const others = OTHERS[store]
  if (suites === undefined || others === undefined) {
    console.error(`got ${store}, wanted one of ${Object.keys(SUITES).join(', ')}, or reports of vitest`)
    return 2
  }
  const mine = namedTests().map(({ file }) => file)
  const files = [...new Set([...suites, ...mine])].filter((file) => file.endsWith('.test.ts') && !others.test(file))
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  const report = join(folder, 'report.json')
  const projects = ['unit', 'slow', 'int', 'schema', 'fault', 'hostile'].flatMap((name) => ['--project', name])
  const words = ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...files, '-t', NAMED]
  const environment = { ...process.env, STORE: store, TEST_REPORT: report }
  const vitest = spawn(process.execPath, words, { env: environment, stdio: 'inherit' })
  const [code] = await once(vitest, 'exit')
  try {
    return Math.max(code === 0 ? 0 : 1, await judge([report]))
  } finally {
    await rm(folder, { recursive: true })
  }
}

const words = process.argv.slice(2)
process.exitCode = words.some((word) => word.endsWith('.json')) ? await judge(words) : await run(words[0] ?? 'embedded')

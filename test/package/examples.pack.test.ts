// Each example of the package, used as its README says. All share one install, so what they import is compared with what they declare.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { issueKey, startServiceProcess } from '../support/processes/service-process.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'
import { makeCompiler } from './compiler.js'
import { type Scratch, scratchIn } from './scratch.js'

const compiler = makeCompiler()

/** What `npm test` does, compiled and then run, without the processes of npm and of one more compiler. */
const npmTest = async (example: Scratch): Promise<void> => {
  const { scripts } = JSON.parse(await readFile(join(example.folder, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const { test = '', build = '' } = scripts
  expect(test.replace('npm run --silent build', build)).toBe('tsc && vitest run')
  expect(compiler.tsc(example.folder)).toBe('')
  expect(await example.run('npx', 'vitest', 'run')).toMatch(/Tests .*passed/)
}

const body = '{"name":"Rex","categoryId":9223372036854775807}'
const headersOf = (key: string) => ({ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' })

const EXAMPLES: Readonly<Record<string, (example: Scratch) => Promise<void>>> = {
  // test/package/runtimes.pack.test.ts runs it on Bun
  'any-runtime': npmTest,
  // .ci/event-arrives runs it, with a broker
  consumer: async (example) => {
    expect(await example.run(process.execPath, '--check', 'consumer.js')).toBe('')
  },
  'embed-domain': npmTest,
  follower: async (example) => {
    const settings = { DATA_DIR: await temporaryFolder() }
    const key = await issueKey(settings)
    const { url } = await startServiceProcess(settings)
    await example.start({ BASE_URL: url, API_KEY: key }, 'npm', 'start')(/following/)
    await fetch(`${url}/pets`, { method: 'POST', headers: headersOf(key), body })
    const table = () => readFile(join(example.folder, 'data/table.json'), 'utf8')
    await expect.poll(() => table().catch(() => '')).toContain('"pets":{"without":1}')
  },
  'in-memory-test': npmTest,
  'postgres-adapter': npmTest,
}

/** The programs that an example needs beside Node, as a command that finds them. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'postgres-adapter': 'command -v initdb || ls /usr/lib/postgresql/*/bin/initdb',
}

const folderOf = (name: string): string => join(inject('installed'), 'examples', name)

/** The packages that the files of an example import. */
const importedBy = (folder: string): ReadonlySet<string> => {
  const texts = readdirSync(folder)
    .filter((file) => /[.][jt]s$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
  const names = texts.flatMap((text) =>
    [...text.matchAll(/from '((?:@[^/']+\/)?[^./'][^/']*)/g)].map(([, name = '']) => name),
  )
  return new Set(names.filter((name) => !name.startsWith('node:')))
}

describe('the examples', () => {
  it('are all used here', () => {
    expect(readdirSync(folderOf('')).filter((name) => !name.includes('.'))).toStrictEqual(Object.keys(EXAMPLES))
  })

  it.each(Object.keys(EXAMPLES))('declare what they import: %s', (name) => {
    const text = readFileSync(join(folderOf(name), 'package.json'), 'utf8')
    const { dependencies, devDependencies } = JSON.parse(text) as Readonly<Record<string, object>>
    const declared = Object.keys({ ...dependencies, ...devDependencies })
    expect([...importedBy(folderOf(name))].filter((imported) => !declared.includes(imported))).toStrictEqual([])
  })

  it.for(Object.entries(EXAMPLES))('work: %s', async ([name, use], context) => {
    const find = PROGRAMS[name]
    const isMissing = find !== undefined && spawnSync('sh', ['-c', find]).status !== 0
    if (process.env['CONTAINERS'] !== 'required') context.skip(isMissing, `not found: ${find}`)
    await use(scratchIn(folderOf(name)))
  })
})

// Uses each example as its README says. They share one install, so their imports are compared with their declarations.
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { issueKey, startServiceProcess } from '../support/processes/service-process.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'
import { npmTest } from './npm-test.js'
import { type Scratch, scratchIn } from './scratch.js'

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
}
/** The slowest example runs in parallel: test/package/postgres-adapter.pack.test.ts. */
const APART = 'postgres-adapter'

const folderOf = (name: string): string => join(inject('installed'), 'examples', name)

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
    expect(readdirSync(folderOf('')).filter((name) => !name.includes('.'))).toStrictEqual([
      ...Object.keys(EXAMPLES),
      APART,
    ])
  })

  it.each([...Object.keys(EXAMPLES), APART])('declare what they import: %s', (name) => {
    const text = readFileSync(join(folderOf(name), 'package.json'), 'utf8')
    const { dependencies, devDependencies } = JSON.parse(text) as Readonly<Record<string, object>>
    const declared = Object.keys({ ...dependencies, ...devDependencies })
    expect([...importedBy(folderOf(name))].filter((imported) => !declared.includes(imported))).toStrictEqual([])
  })

  it.each([...Object.keys(EXAMPLES), APART])('needs the version of the package that it belongs to: %s', (name) => {
    const textOf = (path: string): string => readFileSync(path, 'utf8')
    const { version } = JSON.parse(textOf('package.json')) as { readonly version: string }
    expect(textOf(join(folderOf(name), 'package.json'))).toContain(`"animal-store": "^${version}"`)
  })

  it.each(Object.entries(EXAMPLES))('work: %s', (name, use) => use(scratchIn(folderOf(name))))
})

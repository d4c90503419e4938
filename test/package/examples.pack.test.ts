// Each example in a clone whose examples were used before: installed and run as its README says.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { issueKey, startServiceProcess } from '../support/processes/service-process.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'
import { BUN } from './runtimes.js'
import { makeScratch, type Scratch, scratchIn } from './scratch.js'

const npmTest = async (example: Scratch): Promise<void> => {
  expect(await example.run('npm', 'test')).toMatch(/Tests .*passed/)
}

const body = '{"name":"Rex","categoryId":9223372036854775807}'
const headersOf = (key: string) => ({ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' })

const EXAMPLES: Readonly<
  Record<string, { readonly megabytes: number; readonly use: (example: Scratch) => Promise<void> }>
> = {
  'any-runtime': {
    megabytes: 150,
    use: async (example) => {
      await npmTest(example)
      const find = example.start({ PORT: '0' }, 'npx', '--yes', '-p', BUN, 'bun', 'run', 'bun.ts')
      const port = await find(/http:\/\/localhost:(\d+)/)
      expect((await fetch(`http://localhost:${port}/v1/pets`)).status).toBe(401)
    },
  },
  // .ci/event-arrives runs it, with a broker
  consumer: { megabytes: 60, use: async () => {} },
  'embed-domain': { megabytes: 150, use: npmTest },
  follower: {
    megabytes: 2,
    use: async (example) => {
      const settings = { DATA_DIR: await temporaryFolder() }
      const key = await issueKey(settings)
      const { url } = await startServiceProcess(settings)
      await example.start({ BASE_URL: url, API_KEY: key }, 'npm', 'start')(/following/)
      await fetch(`${url}/pets`, { method: 'POST', headers: headersOf(key), body })
      const table = () => readFile(join(example.folder, 'data/table.json'), 'utf8')
      await expect.poll(() => table().catch(() => '')).toContain('"pets":{"without":1}')
    },
  },
  'in-memory-test': { megabytes: 150, use: npmTest },
  'sqlite-adapter': {
    megabytes: 150,
    use: async (example) => {
      await npmTest(example)
      const find = example.start({ PORT: '0' }, 'npm', 'start')
      const [key, url] = [await find(/^(ast_live_\S+)$/m), await find(/"url":"([^"]+)"/)]
      const created = await fetch(`${url}/pets`, { method: 'POST', headers: headersOf(key), body })
      expect(created.status).toBe(201)
      expect((await readFile(join(example.folder, 'data/pets.db'))).length).toBeGreaterThan(0)
    },
  },
}

let clone: Scratch
let packedAtFirst: readonly string[]

/** The files that `npm pack` would put into the package. */
const packed = async (): Promise<readonly string[]> => {
  const [{ files }] = JSON.parse(await clone.run('npm', 'pack', '--dry-run', '--json', '--ignore-scripts')) as [
    { readonly files: readonly { readonly path: string }[] },
  ]
  return files.map(({ path }) => path)
}

beforeAll(async () => {
  clone = await makeScratch()
  await clone.run(
    'sh',
    '-c',
    `cd '${process.cwd()}' && git ls-files -z | tar --null -T - -cf - | tar -xf - -C '${clone.folder}'`,
  )
  await clone.run('git', 'init', '--quiet')
  await clone.run('git', 'add', '--all')
  await cp('dist', join(clone.folder, 'dist'), { recursive: true })
  packedAtFirst = await packed()
  // an installed clone, whose build is up to date
  const used = ['node_modules/typescript/package.json']
  for (const name of Object.keys(EXAMPLES))
    used.push(
      ...['node_modules/junk/package.json', 'dist/junk.js', 'data/junk.json'].map((file) => `examples/${name}/${file}`),
    )
  for (const file of used.map((name) => join(clone.folder, name))) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, '{}')
  }
  return clone.remove
})

it.each(Object.entries(EXAMPLES))(
  'installs and runs examples/%s',
  { timeout: 180_000 },
  async (name, { megabytes, use }) => {
    const example = scratchIn(join(clone.folder, 'examples', name))
    await example.run('npm', 'install', '--prefer-offline')
    await use(example)
    expect(Number.parseInt(await example.run('du', '-sm', 'node_modules'), 10)).toBeLessThan(megabytes)
  },
)

it('tests every example, and none of them leaves anything that git or npm would publish', async () => {
  const examples = await clone.run('ls', 'examples')
  expect(examples.trim().split('\n')).toStrictEqual(Object.keys(EXAMPLES))
  expect(await clone.run('git', 'ls-files', '--others', '--exclude-standard')).toBe('')
  expect(await packed()).toStrictEqual(packedAtFirst)
})

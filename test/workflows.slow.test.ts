import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from './support/runner/temporary-folder.js'

interface Workflow {
  readonly env?: Readonly<Record<string, string>>
  readonly permissions?: unknown
  readonly concurrency?: unknown
  readonly jobs: Readonly<
    Record<string, { 'timeout-minutes'?: number; 'runs-on': string; steps: readonly { readonly uses?: string }[] }>
  >
}

const execute = promisify(execFile)
const FOLDER = '.github/workflows'
const files = readdirSync(FOLDER)
const textOf = (file: string): string => readFileSync(`${FOLDER}/${file}`, 'utf8')
const workflowOf = (file: string): Workflow => parse(textOf(file)) as Workflow

it('the CI workflow pins each image that the tests start to a digest', () => {
  const { env = {} } = workflowOf('ci.yml')
  const texts = ['docker-compose.yml', 'Dockerfile'].map((file) => readFileSync(file, 'utf8'))
  const started = new Set(texts.join().match(/\b(?:NODE|MONGO|NATS)_IMAGE\b/g))
  expect(Object.keys(env).toSorted()).toEqual([...started].toSorted())
  // the night tests the same server
  expect(textOf('nightly.yml')).toContain(`MONGO_IMAGE: ${env['MONGO_IMAGE']}\n`)
  expect(Object.values(env).filter((image) => !/^\w+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image))).toEqual([])
})

describe.each(files)('%s', (file) => {
  const { permissions, concurrency, jobs: byName } = workflowOf(file)
  const jobs = Object.values(byName)

  it('pins each action to a commit, and says which version that is', () => {
    const uses = jobs.flatMap(({ steps }) => steps.flatMap((step) => step.uses ?? []))
    expect(uses.length).toBeGreaterThan(0)
    expect(uses.filter((one) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(one))).toEqual([])
    expect(textOf(file).match(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/gm)).toHaveLength(uses.length)
  })

  it('may only read by default, ends every job in time, and runs once per branch', () => {
    expect(permissions).toEqual({ contents: 'read' })
    expect(concurrency).toBeDefined()
    expect(jobs).toMatchObject(jobs.map(() => ({ 'timeout-minutes': expect.any(Number) as unknown })))
    expect(jobs.filter((job) => job['runs-on'].endsWith('-latest'))).toEqual([])
  })
})

it('the names that only the owner can give are in package.json and SECURITY.md, and the others are listed as missing', async () => {
  const FILES = ['.ci/owner.js', '.ci/owner.json', 'package.json', '.github/SECURITY.md']
  const folder = await temporaryFolder()
  for (const file of FILES) await cp(file, join(folder, file))
  const { stdout } = await execute(process.execPath, [join(folder, '.ci/owner.js')])
  const textsIn = (root: string) => FILES.map((file) => readFileSync(join(root, file), 'utf8'))
  expect(textsIn(folder)).toEqual(textsIn('.'))
  const names: unknown = JSON.parse(readFileSync('.ci/owner.json', 'utf8'))
  const missing = Object.entries(names as object).flatMap(([name, value]) => (value === null ? [name] : []))
  expect(stdout.split('\n').map((line) => line.split(':')[0])).toEqual([...missing, ''])
})

it('publishes the tarball whose checksum is on the release page, and rehearses that', () => {
  const published = textOf('release.yml').match(/npm publish .*/g)
  expect(published).toHaveLength(2)
  expect(published?.filter((command) => !command.endsWith(' ./reports/release/*.tgz'))).toEqual([])
})

it('the notes of a release are refused for a tag that is not the version of the package', async () => {
  await expect(execute(process.execPath, ['.ci/release-notes.js', 'v0.0.1'])).rejects.toMatchObject({
    stderr: expect.stringMatching(/^the tag is v0\.0\.1, but package\.json has the version /),
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

interface Workflow {
  readonly env?: Readonly<Record<string, string>>
  readonly permissions?: unknown
  readonly concurrency?: unknown
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly 'timeout-minutes'?: number
        readonly 'runs-on': string
        readonly environment?: string
        readonly permissions?: object
        readonly steps: readonly { readonly uses?: string; readonly run?: string }[]
      }
    >
  >
}

const FOLDER = '.github/workflows'
const files = readdirSync(FOLDER)
const textOf = (file: string): string => readFileSync(`${FOLDER}/${file}`, 'utf8')
const workflowOf = (file: string): Workflow => parse(textOf(file)) as Workflow

const PINNED = /^\w+:[\w.-]+@sha256:[0-9a-f]{64}$/

it('the CI workflow pins each image that the tests start to a digest', () => {
  const { env = {} } = workflowOf('ci.yml')
  const started = new Set(readFileSync('docker-compose.yml', 'utf8').match(/\b(?:MONGO|NATS)_IMAGE\b/g))
  expect(Object.keys(env).toSorted()).toEqual([...started].toSorted())
  // the nightly run tests the same server
  expect(textOf('nightly.yml')).toContain(`MONGO_IMAGE: ${env['MONGO_IMAGE']}\n`)
  expect(Object.values(env).filter((image) => !PINNED.test(image))).toEqual([])
})

it('the image has its base by digest, named in one place', () => {
  const [, base] = /^ARG NODE_IMAGE=(.*)$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? []
  expect(base).toMatch(PINNED)
  const others = ['docker-compose.yml', 'deploy/embedded-services.yml', '.ci/compose', '.ci/nightly', '.ci/release']
  expect(others.filter((file) => /\bnode:\d/.test(readFileSync(file, 'utf8')))).toEqual([])
})

it('only a job of the release that others must approve may write, and it runs no code of dependencies', () => {
  const writing = files.flatMap((file) => {
    const named = Object.entries(workflowOf(file).jobs)
    return named.flatMap(([name, job]) => (job.permissions === undefined ? [] : [{ name: `${file} ${name}`, ...job }]))
  })
  expect(writing).toMatchObject([{ name: 'release.yml publish', environment: 'release', needs: ['test', 'build'] }])
  const commands = writing.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? [])).join('\n')
  expect(commands).toContain('npm publish --ignore-scripts ')
  expect(commands).not.toMatch(/npm (?:ci|install|run|test|pack)|npx|docker build |\.ci\/(?:run|scan)/)
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

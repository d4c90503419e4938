import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

interface Workflow {
  readonly env?: Readonly<Record<string, string>>
  readonly permissions?: unknown
  readonly concurrency?: unknown
  readonly jobs: Readonly<
    Record<string, { 'timeout-minutes'?: number; 'runs-on': string; steps: readonly { readonly uses?: string }[] }>
  >
}

const FOLDER = '.github/workflows'
const files = readdirSync(FOLDER)
const textOf = (file: string): string => readFileSync(`${FOLDER}/${file}`, 'utf8')
const workflowOf = (file: string): Workflow => parse(textOf(file)) as Workflow

it('the CI workflow pins each image that the tests start to a digest', () => {
  const { env = {} } = workflowOf('ci.yml')
  const texts = ['docker-compose.yml', 'Dockerfile'].map((file) => readFileSync(file, 'utf8'))
  const started = new Set(texts.join().match(/\b(?:NODE|MONGO|NATS)_IMAGE\b/g))
  expect(Object.keys(env).toSorted()).toEqual([...started].toSorted())
  // the nightly run tests the same server
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

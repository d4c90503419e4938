// The CI workflow runs the parts of .ci/run as parallel jobs.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const workflow = parse(readFileSync('.github/workflows/ci.yml', 'utf8')) as {
  readonly jobs: { readonly ci: { readonly strategy: { readonly matrix: { readonly part: readonly string[] } } } }
}
const run = readFileSync('.ci/run', 'utf8')
const parts = /^PARTS='(.*)'$/m.exec(run)?.[1]?.split(' ')

it('runs every part of .ci/run as a job', () => {
  expect(workflow.jobs.ci.strategy.matrix.part).toEqual(parts)
  expect([...new Set([...run.matchAll(/^wants (\w+) && /gm)].map(([, part]) => part))]).toEqual(parts)
})

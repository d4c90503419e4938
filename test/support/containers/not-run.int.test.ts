// The test runner on a machine whose container engine cannot pull images.
import { describe, expect, it } from 'vitest'
import { type Environment, startCli } from '../processes/cli-process.js'

/** A suite that shares a server, and one that starts its own. */
const FILES = ['test/adapters/nats/event-publisher.int.test.ts', 'test/adapters/nats/credentials.int.test.ts']
const IMAGES = { MONGO_IMAGE: 'nowhere.invalid/mongo', NATS_IMAGE: 'nowhere.invalid/nats' }

const runTests = async (environment: Environment) => {
  const { exit, stdout, stderr } = startCli(
    ['node_modules/vitest/vitest.mjs'],
    { ...IMAGES, ...environment },
    'run',
    '--project',
    'int',
    ...FILES,
  )
  return { code: await exit, stdout: stdout(), stderr: stderr() }
}

describe('vitest without images', () => {
  it('lists every suite that needs an image as not run, and fails none [not-run]', async () => {
    const { code, stdout, stderr } = await runTests({})
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringContaining('failed') })
    expect(stderr).toMatch(/NOT RUN on this machine: \d+ suites or tests/)
    for (const file of FILES) expect(stderr).toContain(`\n    ${file}: `)
    const reasons = stderr.match(/^ {2}\S.*container.*$/gm) ?? []
    // one per image, whoever needs it
    expect([1, 2]).toContain(reasons.length)
    expect(reasons.filter((reason) => !/_IMAGE selects another image|no container engine/.test(reason))).toEqual([])
  })

  it('fails them with CONTAINERS=required [not-run]', async () => {
    const { code, stdout, stderr } = await runTests({ CONTAINERS: 'required' })
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.not.stringContaining('passed') })
    for (const file of FILES) expect(stderr).toContain(file)
  })
})

// The test runner on a machine whose container engine, if it has one, cannot pull images.
import { expect, it } from 'vitest'
import { startCli } from '../processes/cli-process.js'

const WORDS = ['run', '--config', 'test/support/containers/not-run.vitest.config.ts']
/** No image can be pulled; and what the runner itself runs is not of the coverage of src. */
const PLAIN = {
  MONGO_IMAGE: 'nowhere.invalid/mongo',
  NATS_IMAGE: 'nowhere.invalid/nats',
  NODE_V8_COVERAGE: '',
  NO_COLOR: '1',
}
const SUITE = 'test/support/containers/needs-nats\\.ts: a suite \\(needs nats\\)'
const REASON = '(no container engine|the container of NATS did not start \\(NATS_IMAGE selects another image.*)'

const run = async (environment: Readonly<Record<string, string>>) => {
  const program = ['node_modules/vitest/vitest.mjs']
  const { exit, stdout, stderr } = startCli(program, { ...PLAIN, ...environment }, ...WORDS)
  return { code: await exit, stdout: stdout(), stderr: stderr() }
}

it('lists a suite that needs an image as not run, with the reason, and does not fail it [not-run]', async () => {
  const { code, stdout, stderr } = await run({})
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/Tests.*1 skipped/) })
  expect(stderr).toMatch(/NOT RUN on this machine: 1 suites or tests\n/)
  expect(stderr).toMatch(new RegExp(`^  ${REASON}\n    ${SUITE}$`, 'm'))
})

it('fails it with CONTAINERS=required, and names a project without a test [not-run]', async () => {
  const { code, stdout, stderr } = await run({ CONTAINERS: 'required' })
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/Tests.*1 failed/) })
  expect(stderr).toMatch(new RegExp(`Error: ${REASON}`))
  expect(stderr).toContain('  a project without a file of tests\n    empty\n')
})

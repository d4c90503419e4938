import { expect, it, onTestFinished, vi } from 'vitest'
import type { TestModule, Vitest } from 'vitest/node'
import NotRunReporter from './not-run.reporter.js'

const skipped = {
  fullName: 'the broker (needs nats)',
  result: () => ({ state: 'skipped', note: 'no container engine' }),
}
const suite = {
  relativeModuleId: 'test/a.int.test.ts',
  project: { name: 'int' },
  children: { allTests: () => [skipped] },
}

/** The report on the projects `int` and `fault`, of which only `int` had a file. */
const reportOf = (containers: string): { readonly printed: string; readonly exitCode: unknown } => {
  const { exitCode: before } = process
  vi.stubEnv('CONTAINERS', containers)
  const print = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => {
    process.exitCode = before
    vi.unstubAllEnvs()
    print.mockRestore()
  })
  const reporter = new NotRunReporter()
  reporter.onInit({ projects: [{ name: 'int' }, { name: 'fault' }] } as Vitest)
  reporter.onTestRunEnd([suite as unknown as TestModule])
  return { printed: print.mock.calls.join('\n'), exitCode: process.exitCode }
}

it('lists what did not run, with the reason, and fails only with CONTAINERS=required [not-run]', () => {
  const line = '  no container engine\n    test/a.int.test.ts: the broker (needs nats)\n'
  const optional = reportOf('')
  expect(optional.printed).toContain(`NOT RUN on this machine: 1 suites or tests\n${line}`)
  expect(optional.exitCode).toBeUndefined()
  const required = reportOf('required')
  expect(required.printed).toContain(`${line}  a project without a file of tests\n    fault\n`)
  expect(required.exitCode).toBe(1)
})

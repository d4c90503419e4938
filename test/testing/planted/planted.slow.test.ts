// The contract suites find faults: each promise is broken in a copy of a sound store, and a suite must fail.
import { beforeAll, describe, expect, it } from 'vitest'
import { childEnvironment } from '../../support/processes/child-environment.js'
import { launchProcess } from '../../support/processes/cli-process.js'
import { FAULTS } from './faults.js'

const CONFIG = 'test/testing/planted/vitest.config.ts'

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[]
      readonly title: string
      readonly status: string
    }[]
  }[]
}

describe('the contract suites', () => {
  /** By fault: the titles of the tests that passed, and of those that failed. */
  const results = new Map<string, { readonly passed: string[]; readonly failed: string[] }>()
  beforeAll(async () => {
    const words = ['node_modules/vitest/vitest.mjs', 'run', '--config', CONFIG, '--reporter=json']
    const { exit, stdout } = launchProcess(process.execPath, words, childEnvironment({}))
    // it fails, as it should
    expect(await exit).toBe(1)
    const { testResults } = JSON.parse(stdout()) as Report
    for (const { ancestorTitles, title, status } of testResults.flatMap(({ assertionResults }) => assertionResults)) {
      const [fault = ''] = ancestorTitles
      const result = results.get(fault) ?? { passed: [], failed: [] }
      results.set(fault, result)
      result[status === 'passed' ? 'passed' : 'failed'].push(title)
    }
  }, 120_000)

  it('pass over the store without a fault', () => {
    const { passed = [], failed } = results.get('no fault') ?? {}
    expect(failed).toStrictEqual([])
    expect(passed.length).toBeGreaterThan(60)
  })

  it.each(Object.values(FAULTS).flat())('find a store that %s', (fault) => {
    const { passed = [], failed = [] } = results.get(fault) ?? {}
    expect(failed).not.toStrictEqual([])
    // the fault is one, and at least half of the promises are kept
    expect(passed.length).toBeGreaterThanOrEqual(failed.length)
  })
})

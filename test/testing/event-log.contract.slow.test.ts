// The suite of the log finds faults that lose events only for a reader that has caught up.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly ancestorTitles: readonly string[]; readonly status: string }[]
  }[]
}

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config=test/testing/planted.vitest.config.ts']

it('a log that reads its head after the page, and an add that raises the head first, fail its suite 10 of 10 times', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [...vitest, '--reporter=json']).catch(
    (error: unknown) => error as { readonly stdout: string },
  )
  const [{ assertionResults } = { assertionResults: [] }] = (JSON.parse(stdout) as Report).testResults
  const suitesOf = (...statuses: readonly string[]) =>
    new Set(
      assertionResults.filter(({ status }) => statuses.includes(status)).map(({ ancestorTitles }) => ancestorTitles[0]),
    )
  expect(suitesOf('passed', 'failed').size).toBe(20)
  expect(suitesOf('failed')).toStrictEqual(suitesOf('passed', 'failed'))
})

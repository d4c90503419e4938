// Every row of the contract has tests, and docs/conformance.md shows them.
import { describe, expect, it } from 'vitest'
import { namedTests, notHeld, ROWS, reportText } from './report.js'

describe('the rows of the contract', () => {
  it('have different names, and each has a test', () => {
    const named = new Set(namedTests().flatMap(({ rows }) => rows))
    expect(ROWS.length).toBeGreaterThan(75)
    expect(ROWS).toStrictEqual([...new Set(ROWS)])
    expect([...named].sort()).toStrictEqual([...ROWS].sort())
  })

  it('are held only by tests that have passed, all of them', () => {
    const ran = (...results: readonly (readonly [string, string])[]) => ({
      testResults: [
        { name: 'test/a.test.ts', assertionResults: results.map(([title, status]) => ({ title, status })) },
      ],
    })
    const others = ran([`is held [${ROWS.slice(2).join(' ')}]`, 'passed'])
    const [first = '', second = ''] = ROWS
    expect(notHeld([others, ran([`a [${first}]`, 'passed'], [`b [${second} ${first}]`, 'passed'])])).toStrictEqual([])
    expect(notHeld([others, ran([`a [${first}]`, 'passed'], [`b [${first}]`, 'skipped'])])).toStrictEqual([
      `${first}: skipped: b [${first}]`,
      `${second}: no test ran`,
    ])
    const page = reportText([ran([`a [${first}]`, 'passed'], [`b [${first}]`, 'passed'], [`c [${first}]`, 'failed'])])
    expect(page).toMatch(new RegExp(`^\\| \`${first}\` \\| .* \\| 2 of \`test/a\\.test\\.ts\` \\|$`, 'm'))
  })

  it('are shown in docs/conformance.md', async () => {
    await expect(reportText()).toMatchFileSnapshot('../../docs/conformance.md')
  })
})

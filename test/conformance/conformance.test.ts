// Every row of the contract has tests, and docs/conformance.md shows them.
import { describe, expect, it } from 'vitest'
import { namedTests, ROWS, reportText } from './report.js'

describe('the rows of the contract', () => {
  it('have different names, and each has a test', () => {
    const named = new Set(namedTests().flatMap(({ rows }) => rows))
    expect(ROWS.length).toBeGreaterThan(75)
    expect(ROWS).toStrictEqual([...new Set(ROWS)])
    expect([...named].sort()).toStrictEqual([...ROWS].sort())
  })

  it('are shown in docs/conformance.md', async () => {
    await expect(reportText()).toMatchFileSnapshot('../../docs/conformance.md')
  })
})

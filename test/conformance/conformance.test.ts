// Every row of the contract has tests, and docs/conformance.md shows them.
import { describe, expect, it } from 'vitest'
import { namedTests, reportText } from './report.js'
import { SECTIONS } from './rows.js'

describe('the rows of the contract', () => {
  it('have different names, and each has a test', () => {
    const rows = Object.values(SECTIONS).flatMap((section) => Object.keys(section))
    const named = new Set(namedTests().flatMap((test) => test.rows))
    expect(rows.length).toBeGreaterThan(75)
    expect(rows).toStrictEqual([...new Set(rows)])
    expect([...named].sort()).toStrictEqual([...rows].sort())
  })

  it('are shown in docs/conformance.md', async () => {
    await expect(reportText()).toMatchFileSnapshot('../../docs/conformance.md')
  })
})

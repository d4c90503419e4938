// The figures in the documents are those of the committed results; `npm run bench -- --documents` writes them anew.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { documents } from '../../bench/report/documents.js'
import { SCENARIOS } from '../../bench/scenarios/scenarios.js'

describe('the documents', () => {
  it.each([...documents()])('%s shows the committed results', (name, expected) => {
    expect(readFileSync(name, 'utf8')).toBe(expected)
  })

  it.each(SCENARIOS.map(({ name }) => name))('have a place for the scenario %s', (name) => {
    expect(readFileSync('docs/benchmarks.md', 'utf8')).toContain(`<!-- bench:${name} -->\n`)
  })
})

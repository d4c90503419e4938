// Every row of the contract has tests that exist, and docs/conformance.md shows them.
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { namedTest, reportText, SECTIONS } from './report.js'
import { FILES } from './row.js'

const rows = SECTIONS.flatMap((section) => section.rows)
const tests = rows.flatMap(({ id, tests: names }) => names.map((name) => ({ id, ...namedTest(name) })))

/** The titles of the tests in a file: the first arguments of `it` and `it.each(…)`. */
const titlesIn = (path: string): ReadonlySet<string> => {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ESNext)
  const titles = new Set<string>()
  const visit = (node: ts.Node): void => {
    const [title] = ts.isCallExpression(node) ? node.arguments : []
    if (title !== undefined && ts.isStringLiteralLike(title)) {
      let called: ts.Node = ts.isCallExpression(node) ? node.expression : node
      while (ts.isCallExpression(called) || ts.isPropertyAccessExpression(called)) called = called.expression
      if (ts.isIdentifier(called) && called.text === 'it') titles.add(title.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return titles
}

describe('the rows of the contract', () => {
  it('have different names', () => {
    const ids = rows.map(({ id }) => id)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toStrictEqual([])
    expect(ids.length).toBeGreaterThan(75)
  })

  it('name tests that exist', () => {
    const titles = new Map(Object.values(FILES).map((file) => [file, titlesIn(file)] as const))
    const gone = tests.filter(({ file, title }) => ![...titles].some(([path, all]) => path === file && all.has(title)))
    expect(gone).toStrictEqual([])
  })

  it('are shown in docs/conformance.md', async () => {
    await expect(reportText()).toMatchFileSnapshot('../../docs/conformance.md')
  })
})

// Turns the examples in the doc comments of public functions into a test file; `expression // => value` is an expectation.
import ts from 'typescript'
import { entries, readApi } from './entries.js'

const expectations = (example: string): string =>
  example.replaceAll(/^(.*) \/\/ => (.*)$/gm, 'expect($1).toStrictEqual($2)')

const asTest = (name: string, example: string): string => `it('${name}', async () => {\n${expectations(example)}\n})`

/** A vitest file that imports everything that the examples use. */
export const docExampleTests = (): string => {
  const { checker, exportsOf } = readApi()
  const isFunction = (symbol: ts.Symbol): boolean =>
    (symbol.flags & ts.SymbolFlags.Value) !== 0 && checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0
  const exampleOf = (symbol: ts.Symbol): string | undefined => {
    const tag = symbol.getJsDocTags(checker).find(({ name }) => name === 'example')
    return tag && ts.displayPartsToString(tag.text)
  }

  const functions = entries.flatMap((entry) => exportsOf(entry).filter(isFunction))
  const tests = functions
    .flatMap((symbol): string[] => {
      const example = exampleOf(symbol)
      return example === undefined ? [] : [asTest(symbol.name, example)]
    })
    .join('\n\n')
  const imported = new Set<string>()
  const imports = entries.map((entry) => {
    // the client has its own types with the same names
    const used = exportsOf(entry)
      .map(({ name }) => name)
      .filter((name) => !imported.has(name) && new RegExp(`\\b${name}\\b`).test(tests))
    for (const name of used) imported.add(name)
    return `import { ${used.join(', ')} } from '${entry.name}'`
  })
  const others = `import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { expect, it } from 'vitest'`
  return [...imports, others, '', tests, ''].join('\n')
}

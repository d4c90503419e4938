// The types of the package cannot change unnoticed, and suit the programs of its users. One compiler checks them all.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, inject, it } from 'vitest'
import { apiReports } from './api-reports.js'
import { makeCompiler, strictIn } from './compiler.js'
import { entries, readApi } from './entries.js'
import { runVitest } from './npm-test.js'
import { scratchIn } from './scratch.js'

const installed = inject('installed')
const compiler = makeCompiler()
const names = entries.map(({ name }) => name)

const folderWith = (name: string, files: Readonly<Record<string, string>>): string => {
  const folder = join(installed, name)
  mkdirSync(folder)
  const all = { 'tsconfig.json': JSON.stringify({ compilerOptions: strictIn(installed) }), ...files }
  for (const [file, text] of Object.entries(all)) writeFileSync(join(folder, file), text)
  return folder
}

// In the examples of doc comments, `expression // => value` is an expectation.
const expectations = (example: string): string =>
  example.replaceAll(/^(.*) \/\/ => (.*)$/gm, 'expect($1).toStrictEqual($2)')

const asTest = (name: string, example: string): string => `it('${name}', async () => {\n${expectations(example)}\n})`

const docExampleTests = (): string => {
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

it('are those of the committed reports', async () => {
  const reports = apiReports()
  for (const [at, { name, file }] of entries.entries()) {
    const text = `# ${name}\n\nWritten by \`npm run api\`.\n\n${reports[at]}`
    await expect(text).toMatchFileSnapshot(`../../docs/api/${file}.api.md`)
  }
})

it('type-check strictly when imported, required and in the examples of its doc comments, which are correct', async () => {
  const uses = (name: (at: number) => string) => names.map((_, at) => `console.log(${name(at)})`).join('\n')
  const imported = names.map((entry, at) => `import * as entry${at} from '${entry}'`).join('\n')
  const required = names.map((entry, at) => `import entry${at} = require('${entry}')`).join('\n')
  const folder = folderWith('uses-types', {
    'imports.mts': `${imported}\n${uses((at) => `entry${at}`)}\n`,
    'requires.cts': `${required}\n${uses((at) => `entry${at}`)}\n`,
    'wrong.mts': `import { petFrom } from 'animal-store'
       // @ts-expect-error an id is a bigint
       petFrom(1, { name: 'Rex', categoryId: 1n })\n`,
    'examples.test.mts': docExampleTests(),
  })
  expect(compiler.tsc(folder)).toBe('')
  expect(await runVitest(scratchIn(folder), 'examples.test.mts')).toContain('passed')
})

it('suit the sample of README.md in a project of npm init, which is CommonJS', () => {
  const readme = readFileSync('README.md', 'utf8')
  const [, file = ''] = /Save this as `([^`]+)`/.exec(readme) ?? []
  const [, sample = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(readme) ?? []
  const manifest = '{ "name": "mine", "version": "1.0.0", "type": "commonjs" }'
  // the test above checks what the sample imports
  const tsconfig = JSON.stringify({ compilerOptions: { ...strictIn(installed), skipLibCheck: true }, files: [file] })
  const folder = folderWith('readme', { 'package.json': manifest, 'tsconfig.json': tsconfig, [file]: sample })
  expect(compiler.tsc(folder)).toBe('')
})

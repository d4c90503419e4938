// The types of the package in the programs of its users. One compiler for all of them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { makeCompiler, strictIn } from './compiler.js'
import { docExampleTests } from './doc-examples.js'
import { entries } from './entries.js'
import { scratchIn } from './scratch.js'

const installed = inject('installed')
const compiler = makeCompiler()
const names = entries.map(({ name }) => name)

/** A folder in which the packages are found, with these files and a tsconfig.json. */
const folderWith = (name: string, files: Readonly<Record<string, string>>): string => {
  const folder = join(installed, name)
  mkdirSync(folder)
  const all = { 'tsconfig.json': JSON.stringify({ compilerOptions: strictIn(installed) }), ...files }
  for (const [file, text] of Object.entries(all)) writeFileSync(join(folder, file), text)
  return folder
}

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
  expect(await scratchIn(folder).run('npx', 'vitest', 'run', 'examples.test.mts', '--testTimeout=120000')).toContain(
    'passed',
  )
})

it('suit the sample of README.md in a project of npm init, which is CommonJS', () => {
  const readme = readFileSync('README.md', 'utf8')
  const [, file = ''] = /Save this as `([^`]+)`/.exec(readme) ?? []
  const [, sample = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(readme) ?? []
  const manifest = '{ "name": "mine", "version": "1.0.0", "type": "commonjs" }'
  // what the sample imports is checked by the test above
  const tsconfig = JSON.stringify({ compilerOptions: { ...strictIn(installed), skipLibCheck: true }, files: [file] })
  const folder = folderWith('readme', { 'package.json': manifest, 'tsconfig.json': tsconfig, [file]: sample })
  expect(compiler.tsc(folder)).toBe('')
})

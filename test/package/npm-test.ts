// Does the work of an example's `npm test` without starting npm and another compiler.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject } from 'vitest'
import { makeCompiler } from './compiler.js'
import type { Scratch } from './scratch.js'

const compiler = makeCompiler()

export const runVitest = ({ run }: Scratch, ...files: readonly string[]): Promise<string> =>
  run(join(inject('installed'), 'node_modules/.bin/vitest'), 'run', '--testTimeout=120000', ...files)

export const npmTest = async (example: Scratch): Promise<void> => {
  const { scripts } = JSON.parse(await readFile(join(example.folder, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const { test = '', build = '' } = scripts
  expect(test.replace('npm run --silent build', build)).toBe('tsc && vitest run')
  expect(compiler.tsc(example.folder)).toBe('')
  expect(await runVitest(example)).toMatch(/Tests .*passed/)
}

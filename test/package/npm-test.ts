// What `npm test` of an example does, compiled and then run, without the processes of npm and of one more compiler.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { makeCompiler } from './compiler.js'
import type { Scratch } from './scratch.js'

const compiler = makeCompiler()

export const npmTest = async (example: Scratch): Promise<void> => {
  const { scripts } = JSON.parse(await readFile(join(example.folder, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const { test = '', build = '' } = scripts
  expect(test.replace('npm run --silent build', build)).toBe('tsc && vitest run')
  expect(compiler.tsc(example.folder)).toBe('')
  expect(await example.run('npx', 'vitest', 'run', '--testTimeout=120000')).toMatch(/Tests .*passed/)
}

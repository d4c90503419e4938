// The commands and the sample of README.md work in the order in which a reader meets them.
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { scratchIn, TSCONFIG, tsc } from './scratch.js'

const readme = await readFile('README.md', 'utf8')

it('has a sample that compiles in a project of npm init, which is CommonJS', async () => {
  const [, file = ''] = /Save this as `([^`]+)`/.exec(readme) ?? []
  const [, sample = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(readme) ?? []
  const folder = join(inject('installed'), 'readme')
  await mkdir(folder)
  const scratch = scratchIn(folder)
  await scratch.write('package.json', '{ "name": "mine", "version": "1.0.0", "type": "commonjs" }')
  await scratch.write('tsconfig.json', JSON.stringify({ ...TSCONFIG, files: [file] }))
  await scratch.write(file, sample)
  expect(await tsc(scratch)).toBe('')
})

it('starts compose on another port than npm start, which is still running', async () => {
  const compose = [...readme.matchAll(/^.*docker compose up.*$/gm)].map(([line]) => line)
  expect(compose.length).toBeGreaterThan(0)
  expect(compose.filter((line) => !/PORT=(?!8080)\d+ /.test(line))).toStrictEqual([])
})

// Imports and requires the tarball in a project with every package that it can use.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { entries } from './entries.js'
import { scratchIn } from './scratch.js'

const names = entries.map(({ name }) => name)

it('an install with everything loads every entry by import and by require', async () => {
  const folder = join(inject('installed'), 'uses')
  await mkdir(folder)
  const scratch = scratchIn(folder)
  const all = names.filter((name) => name !== 'animal-store/testing')
  const program = (load: string) => `(async () => {
      for (const entry of ${JSON.stringify(all)}) console.log(entry, Object.keys(${load}).length > 0)
    })()`
  const expected = all.map((entry) => `${entry} true\n`).join('')
  await scratch.write('load.mjs', program('await import(entry)'))
  await scratch.write('load.cjs', program('require(entry)'))
  expect(await scratch.run(process.execPath, 'load.mjs')).toBe(expected)
  expect(await scratch.run(process.execPath, 'load.cjs')).toBe(expected)
})

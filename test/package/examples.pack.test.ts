// Installs each example with the packed tarball in a separate folder, and checks that it does what its README says.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, inject, it, onTestFinished } from 'vitest'
import { INSTALL, makeScratch } from './scratch.js'

it.each(['embed-domain', 'in-memory-test', 'sqlite-adapter', 'any-runtime'])(
  'runs examples/%s',
  { timeout: 180_000 },
  async (name) => {
    const scratch = await makeScratch(`examples/${name}`)
    onTestFinished(scratch.remove)
    await scratch.run('npm', ...INSTALL, inject('tarball'))
    expect(await scratch.run('npm', 'test')).toMatch(/Tests .*passed/)
  },
)

it.each(readdirSync('examples'))('leaves no lock file behind in examples/%s', (name) => {
  expect(readFileSync(`examples/${name}/.npmrc`, 'utf8')).toContain('\npackage-lock=false\n')
})

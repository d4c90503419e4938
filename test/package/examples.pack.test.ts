// Installs each example with the packed tarball in a separate folder, and checks that it does what its README says.
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

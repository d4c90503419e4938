// A clone and an installed package on the newest Node.js that is too old, with its own npm.
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { makeScratch } from './scratch.js'

const OLD = ['--yes', '-p', 'node@18', '-p', 'npm@10']

it('npm ci names the version that a clone needs before it installs anything', async () => {
  const { folder, run, remove } = await makeScratch()
  onTestFinished(remove)
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) await cp(name, join(folder, name))
  await expect(run('npx', ...OLD, 'npm', 'ci')).rejects.toThrow(
    /^npm error notsup Not compatible with your version of node\/npm: animal-store@[\s\S]*Required: \{"node":">=20\.19"\}/m,
  )
})

it('the command names the version that it needs', async () => {
  const { folder, run, remove } = await makeScratch()
  onTestFinished(remove)
  await cp(join(inject('installed'), 'node_modules/animal-store'), join(folder, 'animal-store'), { recursive: true })
  await expect(run('npx', ...OLD, 'node', 'animal-store/dist/cli.js', 'serve')).rejects.toThrow(
    /failed\n\nanimal-store needs Node\.js 20\.19 or later; this is 18\.\d+\.\d+\n$/,
  )
})

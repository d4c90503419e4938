// Packs the package once per run, and installs it once with the examples and every package that they or we can use.
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import build from '../support/processes/build.js'
import { INSTALL, peers } from './entries.js'

declare module 'vitest' {
  export interface ProvidedContext {
    tarball: string
    /** Has `node_modules` and the tarball's `examples`; subfolders find the packages. */
    installed: string
  }
}

const run = promisify(execFile)

/** In addition to `peers`. */
const packagesOfExamples = async (folder: string): Promise<readonly string[]> => {
  const found = new Map<string, string>()
  const entries = await readdir(folder, { withFileTypes: true })
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    const text = await readFile(join(folder, name, 'package.json'), 'utf8')
    const { dependencies, devDependencies } = JSON.parse(text) as Readonly<Record<string, Record<string, string>>>
    for (const [key, range] of Object.entries({ ...dependencies, ...devDependencies }))
      if (key !== 'animal-store' && !peers.some((peer) => peer.startsWith(`${key}@`))) found.set(key, range)
  }
  return [...found].map(([name, range]) => `${name}@${range}`)
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), 'animal-store-tarball-'))
  // --ignore-scripts below skips prepack, which would build again
  await build()
  const { stdout } = await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder])
  const tarball = join(folder, stdout.trim().split('\n').at(-1) ?? '')
  await run('tar', ['-xf', tarball, '-C', folder, 'package/examples'])
  const installed = await mkdtemp(join(tmpdir(), 'animal-store-installed-'))
  await cp(join(folder, 'package/examples'), join(installed, 'examples'), { recursive: true })
  await writeFile(join(installed, 'package.json'), '{ "private": true }')
  const others = await packagesOfExamples(join(installed, 'examples'))
  await run('npm', [...INSTALL, tarball, ...peers, ...others], { cwd: installed })
  project.provide('tarball', tarball)
  project.provide('installed', installed)
  return async () => {
    await rm(folder, { recursive: true })
    await rm(installed, { recursive: true })
  }
}

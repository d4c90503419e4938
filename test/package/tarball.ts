// Packs the package once per run, for the tests of the package and of the examples.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    tarball: string
  }
}

const run = promisify(execFile)

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), 'animal-store-tarball-'))
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder])
  project.provide('tarball', join(folder, stdout.trim().split('\n').at(-1) ?? ''))
  return () => rm(folder, { recursive: true })
}

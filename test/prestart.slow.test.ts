// `npm start` builds only if a source is newer than the last build, so that it reports a bad setting at once.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { temporaryFolder } from './support/runner/temporary-folder.js'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<'dependencies', string>>
}

const BUILT = 'dist/.tsbuildinfo'

/** Starts a clone twice. `ages` are the ages of its files in seconds; resolves to the number of builds. */
const buildsOf = async (ages: Readonly<Record<string, number>>): Promise<number> => {
  const folder = await temporaryFolder()
  const put = async (path: string, age: number, text = '', mode = 0o644): Promise<void> => {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), text, { mode })
    const time = Date.now() / 1_000 - age
    await utimes(join(folder, path), time, time)
  }
  const sources = ['src/a.ts', 'assets/docs/init.js', 'asyncapi.yaml', 'openapi.yaml', 'scripts/bundle.mjs']
  const files = [...sources, 'tsconfig.json', 'scripts/tsconfig.json', 'package-lock.json']
  const old = Object.fromEntries(files.map((file) => [file, 100]))
  for (const [path, age] of Object.entries({ ...old, ...ages })) await put(path, age)
  const past = Date.now() / 1_000 - 100
  for (const made of ['src', 'assets/docs', 'assets']) await utimes(join(folder, made), past, past)
  // records its runs instead of compiling
  await put(
    'bin/npm',
    0,
    '#!/bin/sh\necho "$@" >>built\nmkdir -p dist && [ -e dist/.tsbuildinfo ] || : >dist/.tsbuildinfo\n',
    0o755,
  )
  await cp('scripts/build', join(folder, 'scripts/build'))
  const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` }
  for (let count = 0; count < 2; count += 1)
    await promisify(execFile)('sh', ['-c', scripts.dependencies], { cwd: folder, env })
  const note = await stat(join(folder, 'built')).catch(() => undefined)
  return note === undefined ? 0 : (await readFile(join(folder, 'built'), 'utf8')).trim().split('\n').length
}

const COMPILER = { 'node_modules/typescript/package.json': 1 }

it.each<[string, Readonly<Record<string, number>>, number]>([
  ['once if there is no build', COMPILER, 1],
  ['once if a source is newer', { ...COMPILER, [BUILT]: 50, 'src/a.ts': 10 }, 1],
  ['never if nothing has changed', { ...COMPILER, [BUILT]: 50 }, 0],
  ['never without a compiler', { [BUILT]: 50, 'src/a.ts': 10 }, 0],
])('npm start builds %s [npm-start]', async (_, ages, builds) => {
  expect(await buildsOf(ages)).toBe(builds)
})

// Each entry needs exactly what docs/embedding.md says to install, so no package is found only because of hoisting.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { entries, peers } from './entries.js'
import { rows } from './rows.js'

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>
}

const packageOf = (path: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path
const isForeign = (name: string): boolean => !name.startsWith('node:') && !(name in dependencies)

/** Packages that the built files of an entry import or require, even lazily, except our own dependencies. */
const importedBy = async (file: string): Promise<readonly string[]> => {
  const { metafile } = await build({
    entryPoints: [`dist/exports/${file}.js`],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    metafile: true,
    write: false,
  })
  const paths = Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter(({ external }) => external))
  const texts = Object.keys(metafile.inputs).map((input) => readFileSync(input, 'utf8'))
  const required = texts.flatMap((text) =>
    [...text.matchAll(/createRequire\(import\.meta\.url\)\('([^']+)'\)/g)].map(([, name = '']) => name),
  )
  return [...new Set([...paths.map(({ path }) => packageOf(path)), ...required])].filter(isForeign).sort()
}

/** Packages that the declarations of an entry import; type-checking them fails without any of these. */
const declaredBy = (file: string): readonly string[] => {
  const [read, names] = [new Set<string>(), new Set<string>()]
  const follow = (path: string): void => {
    if (read.has(path)) return
    read.add(path)
    for (const { fileName } of ts.preProcessFile(readFileSync(path, 'utf8')).importedFiles) {
      if (fileName.startsWith('.')) follow(join(dirname(path), fileName.replace(/js$/, 'd.ts')))
      else names.add(packageOf(fileName))
    }
  }
  follow(`dist/exports/${file}.d.ts`)
  return [...names]
}

const nameOf = (spec: string): string => spec.slice(0, spec.lastIndexOf('@'))

describe('the table of entries in docs/embedding.md', () => {
  it('has a row for each entry, of which there are at most ten', () => {
    expect(rows.map(({ entry }) => entry).sort()).toStrictEqual(entries.map(({ name }) => name).sort())
    expect(entries.length).toBeLessThanOrEqual(10)
  })

  it.each(rows)('names exactly the packages that $entry imports', async ({ entry, installed, optional }) => {
    const { file = '' } = entries.find(({ name }) => name === entry) ?? {}
    expect([...installed, ...optional].map(nameOf).filter(isForeign).sort()).toStrictEqual(await importedBy(file))
  })

  it.each(rows)('names all packages that the types of $entry need', ({ entry, installed }) => {
    const { file = '' } = entries.find(({ name }) => name === entry) ?? {}
    const named = installed.map(nameOf)
    expect(declaredBy(file).filter((name) => isForeign(name) && !named.includes(name))).toStrictEqual([])
  })

  it.each(rows)(
    'names fp-ts if the types of $entry do, because programs then import it, too',
    ({ entry, installed }) => {
      const { file = '' } = entries.find(({ name }) => name === entry) ?? {}
      expect(installed.map(nameOf).includes('fp-ts')).toBe(declaredBy(file).includes('fp-ts'))
    },
  )

  it.each(['domain', 'client', 'fetch'])('has no types of Node.js in %s, which runs without it', (file) => {
    expect(declaredBy(file).filter((name) => name.startsWith('node:'))).toStrictEqual([])
  })

  it.each(rows)('installs versions for $entry that the package accepts', ({ installed, optional }) => {
    const isAccepted = (spec: string) => peers.some((peer) => peer.replace(/@[~^]/, '@').startsWith(`${spec}.`))
    expect([...installed, ...optional].filter((spec) => !isAccepted(spec))).toStrictEqual([])
  })
})

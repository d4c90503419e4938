// What each entry needs is what docs/embedding.md tells to install for it: nothing is found by luck of hoisting.
import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { entries, peers } from './entries.js'
import { rows } from './rows.js'

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>
}

/** Packages that the built files of an entry import, whichever of them is loaded when; without those that ours brings. */
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
  const names = paths.map(({ path }) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path)
  return [...new Set(names)].filter((name) => !name.startsWith('node:') && !(name in dependencies)).sort()
}

const nameOf = (spec: string): string => spec.slice(0, spec.lastIndexOf('@'))

describe('the table of entries in docs/embedding.md', () => {
  it('has a row for each entry, of which there are at most ten', () => {
    expect(rows.map(({ entry }) => entry).sort()).toStrictEqual(entries.map(({ name }) => name).sort())
    expect(entries.length).toBeLessThanOrEqual(10)
  })

  it.each(rows)('names exactly the packages that $entry imports', async ({ entry, installed, optional }) => {
    const { file = '' } = entries.find(({ name }) => name === entry) ?? {}
    expect([...installed, ...optional].map(nameOf).sort()).toStrictEqual(await importedBy(file))
  })

  it.each(rows)('installs versions for $entry that the package accepts', ({ installed, optional }) => {
    const isAccepted = (spec: string) => peers.some((peer) => peer.replace(/@[~^]/, '@').startsWith(`${spec}.`))
    expect([...installed, ...optional].filter((spec) => !isAccepted(spec))).toStrictEqual([])
  })
})

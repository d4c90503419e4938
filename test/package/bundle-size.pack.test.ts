// The sizes that docs/embedding.md states are those of a bundle for browsers.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const page = readFileSync('docs/embedding.md', 'utf8').replaceAll(/\s+/g, ' ')
const [, whole = '', wholeGzip = ''] = /is (\d+) KB minified \((\d+) KB with gzip\)/.exec(page) ?? []
const [, small = '', smallGzip = ''] = /With the ES modules of fp-ts it is (\d+) KB \((\d+) KB\)/.exec(page) ?? []
const [, from = '', to = ''] = /`--alias:(\S+)=(\S+)`/.exec(page) ?? []

const sizesOf = async (alias: Readonly<Record<string, string>>): Promise<readonly [bytes: number, gzip: number]> => {
  const contents = `import { NewPetFromJson } from './dist/exports/domain.js'
    console.log(NewPetFromJson.decode(location.hash))`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    alias,
    write: false,
  })
  const { contents: bytes } = outputFiles[0] ?? expect.fail('no bundle')
  return [bytes.length, gzipSync(bytes, { level: 9 }).length]
}

it.each([
  ['as it comes', {}, [whole, wholeGzip]],
  ['with the ES modules of fp-ts', { [from]: to }, [small, smallGzip]],
] as const)('a bundle of NewPetFromJson has the size that the page states, %s', async (_, alias, stated) => {
  const measured = await sizesOf(alias)
  for (const [at, kilobytes] of stated.entries()) {
    // another release of Node compresses a little differently
    expect(Math.abs((measured[at] ?? 0) / 1_000 - Number(kilobytes))).toBeLessThan(
      Math.max(0.6, 0.03 * Number(kilobytes)),
    )
  }
})

// The sizes that docs/embedding.md and docs/client.md state are those of a bundle for browsers.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const pageOf = (name: string): string => readFileSync(`docs/${name}.md`, 'utf8').replaceAll(/\s+/g, ' ')
const page = pageOf('embedding')
const [, client = '', clientGzip = ''] =
  /minified it is about (\d+) KB \((\d+) KB with gzip\)/.exec(pageOf('client')) ?? []
const [, whole = '', wholeGzip = ''] = /is (\d+) KB minified \((\d+) KB with gzip\)/.exec(page) ?? []
const [, small = '', smallGzip = ''] = /With the ES modules of fp-ts it is (\d+) KB \((\d+) KB\)/.exec(page) ?? []
const [, from = '', to = ''] = /`--alias:(\S+)=(\S+)`/.exec(page) ?? []

const CODEC = `import { NewPetFromJson } from './dist/exports/domain.js'
  console.log(NewPetFromJson.decode(location.hash))`
const CLIENT = `import { makeClient } from './dist/exports/client.js'
  console.log(makeClient({ baseUrl: location.href, apiKey: location.hash }))`

const sizesOf = async (
  contents: string,
  alias: Readonly<Record<string, string>>,
): Promise<readonly [bytes: number, gzip: number]> => {
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
  ['NewPetFromJson', CODEC, {}, [whole, wholeGzip]],
  ['NewPetFromJson with the ES modules of fp-ts', CODEC, { [from]: to }, [small, smallGzip]],
  ['the client', CLIENT, {}, [client, clientGzip]],
] as const)('a bundle of %s has the size that the page states', async (_, contents, alias, stated) => {
  const measured = await sizesOf(contents, alias)
  for (const [at, kilobytes] of stated.entries()) {
    // another release of Node compresses a little differently
    expect(Math.abs((measured[at] ?? 0) / 1_000 - Number(kilobytes))).toBeLessThan(
      Math.max(0.6, 0.03 * Number(kilobytes)),
    )
  }
})

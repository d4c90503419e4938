// The tarball in the eyes of the ecosystem's own checkers.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { makeScratch, type Scratch } from './scratch.js'

const require = createRequire(import.meta.url)
const tarball = inject('tarball')

describe('the packed tarball', () => {
  let scratch: Scratch
  beforeAll(async () => {
    scratch = await makeScratch()
  })
  afterAll(() => scratch.remove())

  it('has nothing that publint would remark on', async () => {
    const { buffer, byteOffset, byteLength } = await readFile(tarball)
    const { messages, pkg } = await publint({ pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) } })
    expect(messages.map((message) => formatMessage(message, pkg))).toStrictEqual([])
  })

  it('has types that resolve for an import and for a require of every entry', async () => {
    // Node from 20.19 on can require an ES module, so that both get the same one
    const rules = ['--profile', 'node16', '--ignore-rules', 'cjs-resolves-to-esm', '--no-definitely-typed']
    const attw = join(dirname(require.resolve('@arethetypeswrong/cli/package.json')), 'dist/index.js')
    expect(await scratch.run(process.execPath, attw, tarball, '--format', 'ascii', ...rules)).toContain('animal-store')
  })

  it('holds the built files, the interface and nothing of the workshop', async () => {
    const files = (await scratch.run('tar', '-tf', tarball)).trim().split('\n')
    expect(files).toEqual(
      expect.arrayContaining([
        'package/LICENSE',
        'package/openapi.yaml',
        'package/asyncapi.yaml',
        'package/dist/cli.js',
        'package/package.json',
      ]),
    )
    const folders = new Set(files.map((file) => file.split('/').slice(1, -1)[0] ?? '.'))
    expect([...folders].sort()).toStrictEqual(['.', 'assets', 'dist'])
  })
})

// The contents of the tarball, and publint's verdict. types.pack.test.ts checks the types.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { deadLinks, pagesIn } from '../support/documents/markdown.js'
import { makeScratch, type Scratch } from './scratch.js'

const tarball = inject('tarball')

describe('the packed tarball', () => {
  let scratch: Scratch
  beforeAll(async () => {
    scratch = await makeScratch()
    return scratch.remove
  })

  it('has no findings of publint', async () => {
    const { buffer, byteOffset, byteLength } = await readFile(tarball)
    const { messages, pkg } = await publint({ pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) } })
    expect(messages.map((message) => formatMessage(message, pkg))).toStrictEqual([])
  })

  it('has documentation without a dead link', async () => {
    await scratch.run('tar', '-xf', tarball)
    const root = join(scratch.folder, 'package')
    const pages = pagesIn(root)
    expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(['README.md', 'docs/embedding.md']))
    const deadLinksOf = deadLinks(root, pages)
    expect(pages.flatMap((page) => deadLinksOf(page).map((link) => `${page.path}: ${link}`))).toStrictEqual([])
  })

  it('has no script that an install would run or ask about', async () => {
    await scratch.run('tar', '-xf', tarball)
    const text = await readFile(join(scratch.folder, 'package/package.json'), 'utf8')
    const { scripts } = JSON.parse(text) as { readonly scripts: Readonly<Record<string, string>> }
    expect(
      Object.keys(scripts).filter((name) => /^(?:(?:pre|post)?install|prepublish|(?:pre|post)?prepare)$/.test(name)),
    ).toEqual([])
  })

  it('contains the built files and the interface, but no development files', async () => {
    const files = (await scratch.run('tar', '-tf', tarball)).trim().split('\n')
    expect(files).toEqual(
      expect.arrayContaining([
        'package/LICENSE',
        'package/openapi.yaml',
        'package/src/domain/pets/pet.ts',
        'package/dist/domain/pets/pet.d.ts.map',
        'package/asyncapi.yaml',
        'package/dist/cli.js',
        'package/dist/cli-licences.txt',
        'package/dist/cli.cdx.json',
        'package/dist/swagger-ui/swagger-ui-bundle.js.LICENSE.txt',
        'package/dist/tracing.js',
        'package/package.json',
      ]),
    )
    const folders = new Set(files.map((file) => file.split('/').slice(1, -1)[0] ?? '.'))
    expect([...folders].sort()).toStrictEqual(['.', '.github', 'assets', 'deploy', 'dist', 'docs', 'examples', 'src'])
  })
})

// Each example of docs/embedding.md, and each whole program of docs/ports.md, prints what its comments say.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { blocksIn } from './support/documents/markdown.js'
import { freePort } from './support/network/free-port.js'
import { BUNDLE } from './support/processes/bundle.js'
import { temporaryFolder } from './support/runner/temporary-folder.js'

const sectionsIn = (path: string) =>
  readFileSync(path, 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((text) => ({ heading: text.split('\n', 1)[0] ?? '', programs: blocksIn(text, ['ts']).map((one) => one.text) }))

const examplesOf = (sections: ReturnType<typeof sectionsIn>) =>
  sections.flatMap(({ heading, programs }) => programs.map((program) => ({ heading, program })))

const sections = sectionsIn('docs/embedding.md')
const examples = examplesOf(sections)
const wholePrograms = examplesOf(sectionsIn('docs/ports.md')).filter(({ program }) => program.includes('console.log'))

const promised = (program: string): readonly string[] =>
  [...program.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, comment = '']) => comment)

describe('docs/embedding.md and docs/ports.md', () => {
  it('have an example in each section, and one of a service over two ports', () => {
    expect(examples.map(({ heading }) => heading)).toEqual(sections.map(({ heading }) => heading))
    expect(wholePrograms).toHaveLength(1)
  })

  it.each([...examples, ...wholePrograms])('keep their promises: $heading', async ({ heading, program }) => {
    const port = String(await freePort())
    const contents = program
      .replaceAll(
        /from 'animal-store(?:\/(\w+))?'/g,
        (_, entry = 'domain') => `from './src/exports/${String(entry)}.ts'`,
      )
      .replaceAll(/\b8080\b/g, port)
    const outfile = resolve(BUNDLE, `${heading.replaceAll(/\W/g, '-')}.mjs`)
    const stdin = { contents, loader: 'ts', resolveDir: process.cwd() } as const
    await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' })
    const folder = await temporaryFolder()
    const { stdout } = await promisify(execFile)(process.execPath, [outfile], { cwd: folder })
    expect(promised(program).length).toBeGreaterThan(0)
    expect(
      stdout
        .replaceAll(new RegExp(`\\b${port}\\b`, 'g'), '8080')
        .trim()
        .split('\n'),
    ).toEqual(promised(program))
  })
})

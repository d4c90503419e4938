// Each example of docs/embedding.md is a program that prints what its comments say.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { freePort } from './support/network/free-port.js'
import { temporaryFolder } from './support/runner/temporary-folder.js'

interface Example {
  readonly heading: string
  readonly program: string
}

const page = readFileSync('docs/embedding.md', 'utf8')
const examples = page
  .split(/^## /m)
  .slice(1)
  .flatMap((section): readonly Example[] =>
    [...section.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, program = '']) => ({
      heading: section.split('\n', 1)[0] ?? '',
      program,
    })),
  )
const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)

/** The comment after each `console.log`. */
const promised = (program: string): readonly string[] =>
  [...program.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, comment = '']) => comment)

describe('docs/embedding.md', () => {
  it('has an example in each section', () => {
    expect(examples.map(({ heading }) => heading)).toEqual(headings)
  })

  it.each(examples)('keeps its promises: $heading', async ({ heading, program }) => {
    const port = String(await freePort())
    const here = program
      .replaceAll(/from 'animal-store(?:\/(\w+))?'/g, (_, entry = 'domain') => {
        const path = join(process.cwd(), 'src/exports', `${String(entry)}.ts`)
        return `from '${pathToFileURL(path).href}'`
      })
      .replaceAll(/\b8080\b/g, port)
    const folder = await temporaryFolder()
    await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
    const file = join(folder, `${heading.replaceAll(/\W/g, '-')}.mts`)
    await writeFile(file, here)
    const loader = pathToFileURL(join(process.cwd(), 'node_modules/tsx/dist/loader.mjs')).href
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', loader, file], { cwd: folder })
    expect(promised(program).length).toBeGreaterThan(0)
    expect(
      stdout
        .replaceAll(new RegExp(`\\b${port}\\b`, 'g'), '8080')
        .trim()
        .split('\n'),
    ).toEqual(promised(program))
  })
})

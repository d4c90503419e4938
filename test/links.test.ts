// The target of every relative link, anchor and quoted path in the Markdown files exists.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Page {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
}

const SKIPPED = new Set(['node_modules', 'dist', 'data', 'coverage', 'reports', '.git'])

const markdownPaths = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : markdownPaths(path)
    return entry.name.endsWith('.md') ? [path] : []
  })

const withoutFences = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '')
const withoutCode = (text: string): string => withoutFences(text).replaceAll(/`[^`\n]*`/g, '')

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/\]\([^)]*\)/g, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')

const anchorsIn = (text: string): ReadonlySet<string> =>
  new Set([...withoutFences(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)))

const captured = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, target = '']) => target)

const pages = markdownPaths('.').map((path): Page => ({ path: relative('.', path), text: readFileSync(path, 'utf8') }))

const textOf = (path: string): string => pages.find((page) => page.path === path)?.text ?? ''

const deadLinks = ({ path, text }: Page): readonly string[] =>
  captured(withoutCode(text), /\]\(([^)\s]+)\)/g)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [file = '', anchor] = link.split('#')
      const target = join(dirname(path), file)
      if (file !== '' && !existsSync(target)) return true
      return anchor !== undefined && !anchorsIn(file === '' ? text : textOf(target)).has(anchor)
    })

/** Paths in code spans, such as `src/cli.ts`, but no patterns such as `src/adapters/*`. */
const deadPaths = ({ text }: Page): readonly string[] =>
  captured(withoutFences(text), /`((?:assets|bench|docs|etc|examples|src|test|\.ci|\.github)\/[\w./-]+)`/g).filter(
    (path) => !existsSync(path),
  )

const page = (text: string): Page => ({ path: 'docs/probe.md', text })

describe.each(pages)('$path', (one) => {
  it('has no dead link', () => {
    expect(deadLinks(one)).toStrictEqual([])
  })

  it('names no path that does not exist', () => {
    expect(deadPaths(one)).toStrictEqual([])
  })
})

describe('the checks', () => {
  it('cover the README and the documentation', () => {
    expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(['README.md', 'docs/errors.md']))
  })

  it.each([
    '[x](nowhere.md)',
    '[x](../README.md#no-such-heading)',
    '[x](#no-such-heading)',
    '![x](nowhere.svg)',
    '```\n# A comment\n```\n[x](#a-comment)',
  ])('catch %j', (text) => {
    expect(deadLinks(page(text))).toHaveLength(1)
  })

  it.each([
    '[x](https://example.org/nowhere)',
    '[x](../README.md)',
    '[x](adr)',
    '# A `code`, (and) more\n[x](#a-code-and-more)',
    '`[x](nowhere.md)`',
  ])('accept %j', (text) => {
    expect(deadLinks(page(text))).toStrictEqual([])
  })

  it('catch a path that does not exist', () => {
    expect(deadPaths(page('`src/cli.ts`, `src/nowhere.ts`, `src/adapters/*`'))).toStrictEqual(['src/nowhere.ts'])
  })
})

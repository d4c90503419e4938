// Every relative link, anchor and quoted path in the Markdown files leads to something that exists.
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { captured, deadLinks, type Page, pagesIn, withoutFences } from './support/documents/markdown.js'

const pages = pagesIn('.')
const deadLinksOf = deadLinks('.', pages)

/** Paths in code spans, such as `src/cli.ts`, but no patterns such as `src/adapters/*`. */
const deadPaths = ({ text }: Page): readonly string[] =>
  captured(withoutFences(text), /`((?:assets|bench|docs|etc|examples|src|test|\.ci|\.github)\/[\w./-]+)`/g).filter(
    (path) => !existsSync(path),
  )

const page = (text: string): Page => ({ path: 'docs/probe.md', text })

describe.each(pages)('$path', (one) => {
  it('has no dead link', () => {
    expect(deadLinksOf(one)).toStrictEqual([])
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
    expect(deadLinksOf(page(text))).toHaveLength(1)
  })

  it.each([
    '[x](https://example.org/nowhere)',
    '[x](../README.md)',
    '[x](adr)',
    '# A `code`, (and) more\n[x](#a-code-and-more)',
    '`[x](nowhere.md)`',
  ])('accept %j', (text) => {
    expect(deadLinksOf(page(text))).toStrictEqual([])
  })

  it('catch a path that does not exist', () => {
    expect(deadPaths(page('`src/cli.ts`, `src/nowhere.ts`, `src/adapters/*`'))).toStrictEqual(['src/nowhere.ts'])
  })
})

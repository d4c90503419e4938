// Every relative link, anchor and quoted path in the Markdown files leads to something that exists.
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { captured, deadLinks, type Page, pagesIn, withoutFences } from './support/documents/markdown.js'

const pages = pagesIn('.')
const deadLinksOf = deadLinks('.', pages)

/** Paths in code spans, such as `src/cli.ts`, but no patterns such as `src/adapters/*`. */
const FROM_THE_ROOT = /`((?:assets|bench|docs|etc|examples|src|test|\.ci|\.github)\/[\w./-]+)`/g

/** Paths in recipes, such as `domain/errors.ts`. */
const FROM_ITS_FOLDER = /`((?:adapters|client|commands|composition|config|domain|testing)\/[\w./-]+\.ts)`/g

const deadPaths = ({ text }: Page): readonly string[] => [
  ...captured(withoutFences(text), FROM_THE_ROOT).filter((path) => !existsSync(path)),
  ...captured(text, FROM_ITS_FOLDER).filter((path) => !existsSync(`src/${path}`) && !existsSync(`test/${path}`)),
]

describe.each(pages)('$path', (one) => {
  it('has no dead link', () => {
    expect(deadLinksOf(one)).toStrictEqual([])
  })

  it('names no path that does not exist', () => {
    expect(deadPaths(one)).toStrictEqual([])
  })
})

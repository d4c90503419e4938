import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export interface Page {
  /** Relative to the root. */
  readonly path: string
  readonly text: string
}

const SKIPPED = new Set(['node_modules', 'dist', 'data', 'coverage', 'reports', '.git', '.stryker-tmp'])

const markdownPaths = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : markdownPaths(path)
    return entry.name.endsWith('.md') ? [path] : []
  })

export const pagesIn = (root: string): readonly Page[] =>
  markdownPaths(root).map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }))

export interface Block {
  readonly language: string
  /** Without the fences. */
  readonly text: string
  readonly firstLine: string
}

/** The fenced blocks of a page in these languages, from top to bottom, including those in lists. */
export const blocksIn = (page: string, languages: readonly string[]): readonly Block[] =>
  [...page.matchAll(/^( *)```(\S*)[^\n]*\n([\s\S]*?)^\1```$/gm)]
    .map(([, , language = '', text = '']) => ({ language, text, firstLine: text.split('\n', 1)[0]?.trim() ?? '' }))
    .filter(({ language }) => languages.includes(language))

export const withoutFences = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '')
const withoutCode = (text: string): string => withoutFences(text).replaceAll(/`[^`\n]*`/g, '')

/** As GitHub does it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/\]\([^)]*\)/g, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')

const anchorsIn = (text: string): ReadonlySet<string> =>
  new Set([...withoutFences(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)))

export const captured = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, target = '']) => target)

/** Relative links to files that do not exist, or to headings that no page has. */
export const deadLinks =
  (root: string, pages: readonly Page[]) =>
  ({ path, text }: Page): readonly string[] => {
    const textOf = (target: string): string => pages.find((page) => page.path === target)?.text ?? ''
    return captured(withoutCode(text), /\]\(([^)\s]+)\)/g)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [file = '', anchor] = link.split('#')
        const target = join(dirname(path), file)
        if (file !== '' && !existsSync(join(root, target))) return true
        return anchor !== undefined && !anchorsIn(file === '' ? text : textOf(target)).has(anchor)
      })
  }

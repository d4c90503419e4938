// Every relative link, anchor, quoted path and quoted name in the Markdown files leads to something that exists.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blocksIn, captured, deadLinks, type Page, pagesIn, withoutFences } from './support/documents/markdown.js'

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

const FOLDERS = ['.ci', '.github', 'assets', 'bench', 'deploy', 'examples', 'scripts', 'src', 'test']

const sources = ['.', ...FOLDERS]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: folder !== '.', withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
    ),
  )
  .filter((path) => !/\/(?:node_modules|dist|data)\/|\.md$|lock\.json$/.test(path))

const words = new Set(sources.flatMap((path) => readFileSync(path, 'utf8').match(/\w+/g) ?? []))
// the names in other people's programs are words of this file
void `AsyncLocalStorage ERR_MODULE_NOT_FOUND NumberLong OTEL_TRACES_SAMPLER OTEL_TRACES_SAMPLER_ARG PATH_TO_CLONE SystemMaxUse
  TESTCONTAINERS_RYUK_DISABLED TS1479 TS1541 containerLogMaxFiles containerLogMaxSize dropUser electionTimeoutMillis
  lastEventIdQueryParameterName makeX maxRequestsPerSocket newName nodeLinker packageExtensions passwordPrompt transformIgnorePatterns
  shardCollection writeConcernMajorityJournalDefault`
const files = new Set(sources.filter((path) => !/^bench/.test(path)).map((path) => basename(path)))

/** camelCase, PascalCase and UPPER_CASE names. */
const NAME =
  /(?<![\w-])((?:[a-z]+[a-z\d]*(?:[A-Z][a-z\d]*)+)|(?:[A-Z][a-z\d]+){2,}|[A-Z][A-Z\d]*(?:_[A-Z\d]+)+|[A-Z][A-Z\d]{3,})(?![\w-])/g

/** Files without their folder, such as `cli.ts`. */
const FILE = /(?<![\w/.*-])([\w-]+(?:\.\w+)*\.(?:ts|mjs))\b/g

/** Names in code spans and in blocks without a language that no source has. */
const deadNames = (text: string): readonly string[] => {
  const marked = captured(withoutFences(text), /`([^`\n]+)`/g)
  const all = [...marked, ...blocksIn(text, ['']).map((block) => block.text)].join('\n')
  return [
    ...captured(all, NAME).filter((name) => !words.has(name)),
    ...captured(all, FILE).filter((name) => !files.has(name)),
  ]
}

it('finds names that no source has', () => {
  const [name, constant] = [['no', 'Such', 'Name'].join(''), ['NO', 'SUCH'].join('_')]
  const text = `\`${name}\` \`${constant}.x\` \`no-such.ts\` \`addPet\`\n\n\`\`\`\n${name} │\n\`\`\`\n`
  expect(deadNames(text)).toStrictEqual([name, constant, name, 'no-such.ts'])
})

describe.each(pages)('$path', (one) => {
  it('has no dead link', () => {
    expect(deadLinksOf(one)).toStrictEqual([])
  })

  it('names no path that does not exist', () => {
    expect(deadPaths(one)).toStrictEqual([])
  })

  it('names nothing in code marks that does not exist', () => {
    expect(deadNames(one.text)).toStrictEqual([])
  })
})

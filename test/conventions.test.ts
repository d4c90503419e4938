// Bans on the text of src and test, beyond the compiler and the linters. Each ban catches a probe.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

interface SourceFile {
  readonly path: string
  readonly text: string
}

interface Ban {
  readonly name: string
  readonly isBroken: (file: SourceFile) => boolean
  readonly probes: readonly SourceFile[]
}

const sourcesOf = (folder: string): readonly SourceFile[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

const sources = sourcesOf('src')

const file = (path: string, text: string): SourceFile => ({ path: `src/${path}`, text })
const texts = (...all: readonly string[]): readonly SourceFile[] => all.map((text) => file('probe.ts', text))

const runtimeCode = (text: string): string => {
  const { ESNext: module } = ts.ModuleKind
  const { ESNext: target } = ts.ScriptTarget
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module, target, removeComments: true, verbatimModuleSyntax: true },
  })
  return outputText.replace('export {};', '').trim()
}

/** Whether a file has anything but named re-exports, which the reports in docs/api show. */
const isMoreThanExports = ({ path, text }: SourceFile): boolean =>
  ts
    .createSourceFile(path, text, ts.ScriptTarget.ESNext)
    .statements.some(
      (statement) =>
        !ts.isExportDeclaration(statement) ||
        statement.moduleSpecifier === undefined ||
        (statement.exportClause !== undefined && !ts.isNamedExports(statement.exportClause)),
    )

const bans: readonly Ban[] = [
  {
    name: 'a name tells a duty: no utils, helpers, common and the like',
    isBroken: ({ path }) => /(^|[/.-])(utils?|helpers?|common|misc|managers?|impl)([/.-]|$)/i.test(path),
    probes: [file('utils/time.ts', ''), file('domain/pet-helpers.ts', ''), file('adapters/common.ts', '')],
  },
  {
    name: 'no barrel but ports/index.ts',
    isBroken: ({ path }) => path.endsWith('/index.ts') && path !== join('src', 'ports', 'index.ts'),
    probes: [file('domain/index.ts', '')],
  },
  {
    name: 'no cast goes through unknown',
    isBroken: ({ text }) => /\bas unknown\)*\s+as\b/.test(text),
    probes: texts('const id = text as unknown as number', 'const id = (text as unknown) as number'),
  },
  {
    name: 'what was thrown is judged by its members: an error of another realm, as in Jest, is no instance of Error',
    isBroken: ({ text }) =>
      /\binstanceof (?:Aggregate|Eval|Range|Reference|Syntax|Type|URI)?Error\b|\btoError\b/.test(text),
    probes: texts('error instanceof Error', 'E.toError(error)', 'error instanceof TypeError'),
  },
  {
    name: 'only documented members of Node are used',
    isBroken: ({ text }) =>
      /\b(_handle|_httpMessage|_events|_(?:readable|writable)State|httpAllowHalfOpen|shouldKeepAlive|destroySoon|(?:assign|detach)Socket|maxRequestsOnConnectionReached)\b|\.prototype\.\w+\.call\b|\.listeners\(/.test(
        text,
      ),
    probes: texts(
      'socket._handle?.writeQueueSize',
      'response.shouldKeepAlive = false',
      'socket.destroySoon()',
      'response.assignSocket(socket)',
      'Object.assign(server, { httpAllowHalfOpen: true })',
      'TcpServer.prototype.close.call(server)',
      "const [parse] = socket.listeners('data')",
    ),
  },
  {
    name: 'HTTP keeps nothing at module level, so that services in one process know nothing of each other',
    isBroken: ({ path, text }) =>
      path.startsWith(join('src', 'adapters', 'http')) &&
      /^(export )?(let\b|const \w+ = new (Map|Set|WeakMap)[^(\n]*\(\)$)/m.test(text),
    probes: [file('adapters/http/load.ts', 'let requests = 0'), file('adapters/http/x.ts', 'const kept = new Map()')],
  },
  {
    name: 'the domain takes the time from the clock',
    isBroken: ({ path, text }) => path.startsWith(join('src', 'domain')) && /\bnew Date(?:\(\)|(?!\())/.test(text),
    probes: [file('domain/probe.ts', 'const now = new Date()'), file('domain/probe.ts', 'const now = new Date')],
  },
  {
    name: 'ports hold no runtime code',
    isBroken: ({ path, text }) => path.startsWith(join('src', 'ports')) && runtimeCode(text) !== '',
    probes: [file('ports/probe.ts', 'export const limit = 20'), file('ports/probe.ts', 'export class Port {}')],
  },
  {
    name: 'an entry point exports what other files hold, and holds nothing itself',
    isBroken: (source) => source.path.startsWith(join('src', 'exports')) && isMoreThanExports(source),
    probes: [
      "export * as pets from '../domain/pet.js'",
      "import { Pet } from '../domain/pet.js'\nexport { Pet }",
      'export const limit = 20',
      'export interface Limit {}',
      'export default 20',
      "import '../domain/pet.js'",
    ].map((text) => file('exports/probe.ts', text)),
  },
]

/** Of all code, but for these probes. */
const silenced: Ban = {
  name: 'no check is silenced',
  isBroken: ({ path, text }) =>
    path !== join('test', 'conventions.test.ts') &&
    /(biome-|v8 |c8 |istanbul |knip-)ignore|lint-disable|Stryker disable/.test(text),
  probes: texts(
    '// biome-ignore lint: x',
    '/* eslint-disable */',
    '// oxlint-disable-next-line',
    '/* v8 ignore next */',
    '// Stryker disable all',
  ),
}

describe('the conventions', () => {
  it.each(bans)('are kept: $name', ({ isBroken }) => {
    expect(sources.length).toBeGreaterThan(50)
    expect(sources.filter(isBroken).map(({ path }) => path)).toStrictEqual([])
  })

  it('are kept by all code: no check is silenced', () => {
    const all = [...sources, ...sourcesOf('test')]
    expect(all.length).toBeGreaterThan(sources.length + 200)
    expect(all.filter(silenced.isBroken).map(({ path }) => path)).toStrictEqual([])
  })

  it.each([...bans, silenced])('catch what breaks: $name', ({ isBroken, probes }) => {
    expect(probes.filter((probe) => !isBroken(probe))).toStrictEqual([])
  })
})

// The import rules of the hexagon. Each catches a probe, a file that breaks it and no other rule, and matches a real file.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseResult, type IRegularForbiddenRuleType } from 'dependency-cruiser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

interface ImportRule extends Pick<IRegularForbiddenRuleType, 'from' | 'to'> {
  readonly name: string
  /** The files of the probe; the first one breaks the rule. */
  readonly probe: readonly (readonly [path: string, source: string])[]
}

const ROOT = '^src/((commands|config|exports)/)?[^/]+[.]ts$'
const npm = (...names: readonly string[]): string => `node_modules/(${names.join('|')})/`

const onlyIn = (adapter: string, packages: readonly [string, ...string[]]): ImportRule => ({
  name: `${packages.join(', ')}: only in adapters/${adapter}`,
  from: { path: '^src/', pathNot: `^src/adapters/${adapter}/` },
  to: { path: npm(...packages) },
  probe: [[`src/only-${adapter}.ts`, `import type {} from '${packages[0]}'`]],
})

const driverRules = [
  onlyIn('http', ['koa', '@koa/router', 'koa-bodyparser', 'lossless-json', 'yaml', 'swagger-ui-dist']),
  onlyIn('lmdb', ['lmdb']),
  onlyIn('mongodb', ['mongodb', 'bson']),
  onlyIn('nats', ['@nats-io/transport-node', '@nats-io/jetstream', '@nats-io/nats-core']),
  onlyIn('prometheus', ['prom-client']),
].filter(({ from }) => existsSync(String(from.pathNot).slice(1)))

const rules: readonly ImportRule[] = [
  {
    name: 'the domain imports only fp-ts, io-ts, itself and ports',
    from: { path: '^src/domain/' },
    to: { pathNot: ['^src/(domain|ports)/', npm('fp-ts', 'io-ts')] },
    probe: [['src/domain/reaches-out.ts', "import { randomUUID } from 'node:crypto'\nexport default randomUUID"]],
  },
  {
    name: 'the domain knows only the types of ports',
    from: { path: '^src/domain/' },
    to: { path: '^src/ports/', dependencyTypesNot: ['type-only'] },
    probe: [
      ['src/domain/calls-a-port.ts', "import '../ports/empty.js'"],
      ['src/ports/empty.ts', 'export {}'],
    ],
  },
  {
    name: 'ports import only types, of fp-ts, of the domain and of each other',
    from: { path: '^src/ports/' },
    to: { dependencyTypesNot: ['type-only'] },
    probe: [['src/ports/runs.ts', "import * as O from 'fp-ts/lib/Option.js'\nexport default O.none"]],
  },
  {
    name: 'ports know nothing outside fp-ts, the domain and each other',
    from: { path: '^src/ports/' },
    to: { pathNot: ['^src/(domain|ports)/', npm('fp-ts')] },
    probe: [['src/ports/knows-files.ts', "import type {} from 'node:fs'"]],
  },
  {
    name: 'adapters never import each other',
    from: { path: '^src/adapters/([^/]+)/' },
    to: { path: '^src/adapters/', pathNot: '^src/adapters/$1/' },
    probe: [
      ['src/adapters/one/borrows.ts', "import type {} from '../other/empty.js'"],
      ['src/adapters/other/empty.ts', 'export {}'],
    ],
  },
  {
    name: 'only main, the files beside it, commands and exports import adapters',
    from: { path: '^src/', pathNot: [ROOT, '^src/adapters/'] },
    to: { path: '^src/adapters/' },
    probe: [['src/testing/wires.ts', "import type {} from '../adapters/other/empty.js'"]],
  },
  {
    name: 'nothing imports main, the files beside it, commands or exports but they themselves',
    from: { path: '^src/', pathNot: ROOT },
    to: { path: ROOT },
    probe: [
      ['src/adapters/one/reads-settings.ts', "import type {} from '../../settings.js'"],
      ['src/settings.ts', 'export {}'],
    ],
  },
  {
    name: 'what is for development stays in tests',
    from: { path: '^src/', pathNot: '^src/testing/' },
    to: { path: npm('vitest', 'fast-check', 'testcontainers', 'typescript') },
    probe: [['src/tests-itself.ts', "import type {} from 'vitest'"]],
  },
  {
    name: 'no cycles',
    from: { path: '^src/' },
    to: { circular: true },
    probe: [
      ['src/egg.ts', "import './hen.js'"],
      ['src/hen.ts', "import './egg.js'"],
    ],
  },
  {
    name: 'every import is found',
    from: { path: '^src/' },
    to: { couldNotResolve: true },
    probe: [['src/asks-for-nothing.ts', "import './nothing.js'"]],
  },
  ...driverRules,
]

const cruised = async (baseDir: string): Promise<ICruiseResult> => {
  const forbidden = rules.map(({ name, from, to }) => ({ name, from, to, severity: 'error' as const }))
  const { output } = await cruise(['src'], {
    baseDir,
    ruleSet: { forbidden },
    validate: true,
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types'] },
  })
  if (typeof output === 'string') throw new Error('dependency-cruiser gave a text')
  return output
}

const violationsOf = ({ summary }: ICruiseResult): readonly string[] =>
  summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)

describe('the import rules', () => {
  let code: ICruiseResult
  let probes: ICruiseResult
  let folder: string

  beforeAll(async () => {
    await mkdir('reports', { recursive: true })
    folder = await mkdtemp(join('reports', 'architecture-'))
    for (const [path, source] of rules.flatMap(({ probe }) => probe)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), source)
    }
    code = await cruised(process.cwd())
    probes = await cruised(join(process.cwd(), folder))
  }, 60_000)
  afterAll(async () => {
    await rm(folder, { recursive: true })
  })

  it('are kept by all files of src', () => {
    expect(code.modules.length).toBeGreaterThan(100)
    expect(violationsOf(code)).toStrictEqual([])
  })

  it.each(rules)('catch the probe of: $name', ({ name, probe: [[file] = ['']] }) => {
    expect(violationsOf(probes).filter((violation) => violation.includes(file))).toEqual([
      expect.stringContaining(`${name}: ${file} -> `),
    ])
  })

  const matches = (text: string, pattern: string | readonly string[] | undefined): boolean =>
    [pattern ?? []].flat().some((one) => new RegExp(one).test(text))

  it.each(rules)('apply to a file, and know what they forbid: $name', ({ from, to }) => {
    const files = code.modules.filter(({ source }) => matches(source, from.path) && !matches(source, from.pathNot))
    expect(files).not.toStrictEqual([])
    if (to.path === undefined) return
    const pattern = [to.path].flat()
    expect(code.modules.filter(({ source }) => matches(source, pattern))).not.toStrictEqual([])
  })
})

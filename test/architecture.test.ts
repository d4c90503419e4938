// The import rules of the hexagon. Each rule matches real files, and catches a probe: a file that breaks only this rule.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseResult, type IRegularForbiddenRuleType } from 'dependency-cruiser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

type Patterns = Readonly<Partial<Record<'path' | 'pathNot', string[]>>>

interface ImportRule {
  readonly name: string
  readonly from: Patterns
  readonly to: Patterns & Pick<IRegularForbiddenRuleType['to'], 'circular' | 'couldNotResolve' | 'dependencyTypesNot'>
  /** The files of the probe; the first one breaks the rule. */
  readonly probe: readonly (readonly [path: string, source: string])[]
}

// patterns are lists without alternatives, so that a test can check that each still matches a file
const OUTSIDE = ['^src/[^/]+[.]ts$', '^src/composition/', '^src/commands/', '^src/exports/']
const FP_TS = 'node_modules/fp-ts/'
const npm = (names: readonly string[]): string[] => names.map((name) => `node_modules/${name}/`)

const onlyIn = (folder: string, packages: readonly [string, ...string[]]): ImportRule => ({
  name: `${packages.join(', ')}: only in ${folder}`,
  from: { path: ['^src/'], pathNot: [`^src/${folder}/`] },
  to: { path: npm(packages) },
  probe: [[`src/not-in-${folder.replace('/', '-')}.ts`, `import type {} from '${packages[0]}'`]],
})

const rules: readonly ImportRule[] = [
  {
    name: 'the domain imports only fp-ts, io-ts, itself and ports',
    from: { path: ['^src/domain/'] },
    to: { pathNot: ['^src/domain/', '^src/ports/', FP_TS, ...npm(['io-ts'])] },
    probe: [['src/domain/reaches-out.ts', "import { randomUUID } from 'node:crypto'\nexport default randomUUID"]],
  },
  {
    name: 'the domain imports only the types of ports',
    from: { path: ['^src/domain/'] },
    to: { path: ['^src/ports/'], dependencyTypesNot: ['type-only'] },
    probe: [
      ['src/domain/calls-a-port.ts', "import '../ports/empty.js'"],
      ['src/ports/empty.ts', 'export {}'],
    ],
  },
  {
    name: 'the parser and the writer of JSON run without any package',
    from: { path: ['^src/domain/json/'] },
    to: { pathNot: ['^src/domain/json/'], dependencyTypesNot: ['type-only'] },
    probe: [['src/domain/json/needs-options.ts', "import * as O from 'fp-ts/lib/Option.js'\nexport default O.none"]],
  },
  {
    name: 'ports import only types, of fp-ts, of the domain and of each other',
    from: { path: ['^src/ports/'] },
    to: { dependencyTypesNot: ['type-only'] },
    probe: [['src/ports/runs.ts', "import * as O from 'fp-ts/lib/Option.js'\nexport default O.none"]],
  },
  {
    name: 'ports import only fp-ts, the domain and each other',
    from: { path: ['^src/ports/'] },
    to: { pathNot: ['^src/domain/', '^src/ports/', FP_TS] },
    probe: [['src/ports/knows-files.ts', "import type {} from 'node:fs'"]],
  },
  {
    name: 'adapters never import each other',
    from: { path: ['^src/adapters/([^/]+)/'] },
    to: { path: ['^src/adapters/'], pathNot: ['^src/adapters/$1/'] },
    probe: [
      ['src/adapters/one/borrows.ts', "import type {} from '../other/empty.js'"],
      ['src/adapters/other/empty.ts', 'export {}'],
    ],
  },
  {
    name: 'only the composition root, commands and exports import adapters',
    from: { path: ['^src/'], pathNot: [...OUTSIDE, '^src/adapters/'] },
    to: { path: ['^src/adapters/'] },
    probe: [['src/testing/wires.ts', "import type {} from '../adapters/other/empty.js'"]],
  },
  {
    name: 'only the composition root, commands and exports import each other and the configuration',
    from: { path: ['^src/'], pathNot: [...OUTSIDE, '^src/config/'] },
    to: { path: [...OUTSIDE, '^src/config/'] },
    probe: [
      ['src/adapters/one/reads-settings.ts', "import type {} from '../../config/empty.js'"],
      ['src/config/empty.ts', 'export {}'],
    ],
  },
  {
    name: 'the composition root imports no command',
    from: { path: ['^src/start-service[.]ts$', '^src/composition/'] },
    to: { path: ['^src/cli[.]ts$', '^src/commands/'] },
    probe: [
      ['src/composition/commands.ts', "import type {} from '../commands/empty.js'"],
      ['src/commands/empty.ts', 'export {}'],
    ],
  },
  {
    name: 'the configuration imports only fp-ts, files and itself',
    from: { path: ['^src/config/'] },
    to: { pathNot: ['^src/config/', FP_TS, '^(node:)?fs$'] },
    probe: [
      ['src/config/knows-pets.ts', "import type {} from '../domain/empty.js'"],
      ['src/domain/empty.ts', 'export {}'],
    ],
  },
  {
    name: 'the client imports only itself and the JSON of the domain',
    from: { path: ['^src/client/'] },
    to: { pathNot: ['^src/client/', '^src/domain/json/'] },
    probe: [['src/client/needs-node.ts', "import { randomUUID } from 'node:crypto'\nexport default randomUUID"]],
  },
  {
    name: 'the service does not import its client',
    from: { path: ['^src/'], pathNot: ['^src/client/', '^src/exports/'] },
    to: { path: ['^src/client/'] },
    probe: [
      ['src/composition/calls-itself.ts', "import type {} from '../client/empty.js'"],
      ['src/client/empty.ts', 'export {}'],
    ],
  },
  {
    name: 'development packages stay in tests',
    from: { path: ['^src/'], pathNot: ['^src/testing/'] },
    to: { path: npm(['vitest', 'fast-check', 'testcontainers', 'typescript', 'lossless-json']) },
    probe: [['src/tests-itself.ts', "import type {} from 'vitest'"]],
  },
  {
    name: 'no cycles',
    from: { path: ['^src/'] },
    to: { circular: true },
    probe: [
      ['src/egg.ts', "import './hen.js'"],
      ['src/hen.ts', "import './egg.js'"],
    ],
  },
  {
    name: 'every import is found',
    from: { path: ['^src/'] },
    to: { couldNotResolve: true },
    probe: [['src/asks-for-nothing.ts', "import './nothing.js'"]],
  },
  onlyIn('adapters/http', ['koa', '@koa/router', 'koa-bodyparser', 'yaml', 'swagger-ui-dist']),
  onlyIn('adapters/lmdb', ['lmdb']),
  onlyIn('adapters/mongodb', ['mongodb', 'bson']),
  onlyIn('adapters/nats', ['@nats-io/transport-node', '@nats-io/jetstream', '@nats-io/nats-core']),
  onlyIn('adapters/prometheus', ['prom-client']),
  onlyIn('composition', ['pino', 'pino-pretty']),
  onlyIn('commands', ['cli-progress']),
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

  it('hold for all files of src', () => {
    expect(code.modules.length).toBeGreaterThan(100)
    expect(violationsOf(code)).toStrictEqual([])
  })

  it.each(rules)('catch the probe of: $name', ({ name, probe: [[file] = ['']] }) => {
    expect(violationsOf(probes).filter((violation) => violation.includes(file))).toEqual([
      expect.stringContaining(`${name}: ${file} -> `),
    ])
  })

  const filesThatMatch = (pattern: string) => code.modules.filter(({ source }) => new RegExp(pattern).test(source))

  it.each(rules)('apply to a file: $name', ({ from: { path = [], pathNot = [] } }) => {
    const excluded = new Set(pathNot.flatMap(filesThatMatch))
    expect(path.flatMap(filesThatMatch).filter((file) => !excluded.has(file))).not.toStrictEqual([])
  })

  const patterns = new Set(rules.flatMap(({ from, to }) => [from.path, from.pathNot, to.path, to.pathNot].flat()))

  it.each([...patterns].filter((pattern) => pattern !== undefined))('match something: %s', (pattern) => {
    // an installed package that nothing imports yet is not a module; $1 is a group of another pattern
    const isThere = pattern.startsWith('node_modules') ? existsSync(pattern) : pattern.includes('$1')
    expect(isThere || filesThatMatch(pattern).length > 0).toBe(true)
  })
})

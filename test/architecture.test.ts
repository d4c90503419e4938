import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { beforeAll, describe, expect, it } from 'vitest'
import { npm, rules } from './support/architecture/import-rules.js'

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

  beforeAll(async () => {
    await mkdir('reports', { recursive: true })
    const folder = await mkdtemp(join('reports', 'architecture-'))
    const write = async (path: string, source: string): Promise<void> => {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, source)
    }
    for (const [path, source] of rules.map(({ probe }) => probe)) {
      await write(join(folder, path), source)
      const empty = /'(.*\/empty)\.js'/.exec(source)?.[1]
      if (empty !== undefined) await write(join(folder, dirname(path), `${empty}.ts`), 'export {}')
    }
    code = await cruised(process.cwd())
    probes = await cruised(join(process.cwd(), folder))
    await rm(folder, { recursive: true })
  }, 60_000)

  it('hold for all files of src', () => {
    expect(code.modules.length).toBeGreaterThan(100)
    expect(violationsOf(code)).toStrictEqual([])
  })

  it.each(rules)('catch the probe of: $name', ({ name, probe: [file] }) => {
    expect(violationsOf(probes).filter((violation) => violation.includes(file))).toEqual([
      expect.stringContaining(`${name}: ${file} -> `),
    ])
  })

  it('keep every optional package in its folder', async () => {
    const { peerDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as {
      readonly peerDependencies: Readonly<Record<string, string>>
    }
    const bound = new Set(rules.flatMap(({ name, to: { path = [] } }) => (name.includes(': only in ') ? path : [])))
    const free = Object.keys(peerDependencies).filter((name) => !npm([name]).every((path) => bound.has(path)))
    expect(free).toStrictEqual(['fp-ts', 'io-ts'])
  })

  const filesThatMatch = (pattern: string) => code.modules.filter(({ source }) => new RegExp(pattern).test(source))

  it.each(rules)('apply to a file: $name', ({ from: { path = [], pathNot = [] } }) => {
    const excluded = new Set(pathNot.flatMap(filesThatMatch))
    expect(path.flatMap(filesThatMatch).filter((file) => !excluded.has(file))).not.toStrictEqual([])
  })
})

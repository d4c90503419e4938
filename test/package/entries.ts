// The entry points in package.json, and their exports as the compiler sees them.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'

export interface Entry {
  /** `animal-store/http` */
  readonly name: string
  /** `http`; `domain` for `animal-store` itself. */
  readonly file: string
}

interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

const { exports, peerDependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest

const withRange = (name: string): string => `${name}@${peerDependencies[name] ?? devDependencies[name]}`

/** Packages that the entries need but npm does not install with ours, with their versions. */
export const peers: readonly string[] = [...Object.keys(peerDependencies), 'vitest', 'fast-check'].map(withRange)

/** Not strict, because npm hands our .npmrc on to its children, and users' projects have another. */
const LENIENT = ['--no-engine-strict', '--ignore-scripts'] as const

/** Packages in npm's cache are not requested from the registry. */
export const INSTALL = ['install', '--prefer-offline', '--no-audit', '--no-fund', ...LENIENT] as const

export const entries: readonly Entry[] = Object.keys(exports)
  .filter((path) => !/[.](?:json|yaml)$/.test(path))
  .map((path) => ({ name: path.replace('.', 'animal-store'), file: path === '.' ? 'domain' : path.slice(2) }))

export interface Api {
  readonly checker: ts.TypeChecker
  /** With aliases resolved. */
  readonly exportsOf: (entry: Entry) => readonly ts.Symbol[]
  /** The symbol itself instead of an import or re-export. */
  readonly target: (symbol: ts.Symbol) => ts.Symbol
}

const makeApi = (): Api => {
  const declarations = (entry: Entry): string => resolve('dist/exports', `${entry.file}.d.ts`)
  const program = ts.createProgram(entries.map(declarations), {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  })
  const checker = program.getTypeChecker()
  const target = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const exportsOf = (entry: Entry): readonly ts.Symbol[] => {
    const source = program.getSourceFile(declarations(entry))
    const module = source && checker.getSymbolAtLocation(source)
    return module === undefined ? [] : checker.getExportsOfModule(module).map(target)
  }
  return { checker, exportsOf, target }
}

let api: Api | undefined

/** Reads the built declarations once per process. */
export const readApi = (): Api => (api ??= makeApi())

// Each entry exports the types that its functions return, so that a program with `declaration: true` need not name them (TS2742, TS2883).
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, inject, it } from 'vitest'
import { entries } from './entries.js'
import { inferringPrograms } from './inferred-types.js'

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  typeRoots: [join(process.cwd(), 'node_modules/@types')],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  declaration: true,
}

/** Reads each file once for all programs. */
const cachingHost = (): ts.CompilerHost => {
  const host = ts.createCompilerHost(OPTIONS)
  const read = new Map<string, ts.SourceFile | undefined>()
  return {
    ...host,
    getSourceFile: (path, ...settings) => {
      if (!read.has(path)) read.set(path, host.getSourceFile(path, ...settings))
      return read.get(path)
    },
  }
}

describe('the declarations of a program that exports what an entry returns', () => {
  const programs = inferringPrograms(entries)
  const host = cachingHost()

  it.each(entries)('are written from $name alone', (entry) => {
    const path = join(inject('installed'), `infers-${entry.file}.mts`)
    writeFileSync(path, programs.get(entry) ?? '')
    const program = ts.createProgram([path], OPTIONS, host)
    const source = program.getSourceFile(path)
    const problems = [...program.getSemanticDiagnostics(source), ...program.getDeclarationDiagnostics(source)]
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toStrictEqual([])
  })
})

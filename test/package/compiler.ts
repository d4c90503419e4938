// Compiles in this process, so that common files such as Node's declarations are read and parsed only once.
import { join } from 'node:path'
import ts from 'typescript'

/** For programs in the folder `installed`. TypeScript's own types are not ours to check. */
export const strictIn = (installed: string) => ({
  target: 'ES2023',
  module: 'NodeNext',
  types: ['node'],
  typeRoots: [join(installed, 'node_modules/@types')],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  skipDefaultLibCheck: true,
  noEmit: true,
})

export interface Compiler {
  readonly program: (files: readonly string[], options: ts.CompilerOptions) => ts.Program
  /** Does the work of `tsc -p FOLDER` and returns what that would print. */
  readonly tsc: (folder: string) => string
}

const textOf = (problems: readonly ts.Diagnostic[]): string =>
  problems
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
    .join('\n')

export const makeCompiler = (): Compiler => {
  const read = new Map<string, ts.SourceFile | undefined>()
  const program: Compiler['program'] = (files, options) => {
    const host = ts.createCompilerHost(options)
    return ts.createProgram(files, options, {
      ...host,
      getSourceFile: (path, ...settings) => {
        if (!read.has(path)) read.set(path, host.getSourceFile(path, ...settings))
        return read.get(path)
      },
    })
  }
  return {
    program,
    tsc: (folder) => {
      const path = join(folder, 'tsconfig.json')
      const { config, error } = ts.readConfigFile(path, (file) => ts.sys.readFile(file))
      const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder, {}, path)
      const compiled = program(fileNames, options)
      const problems = [...(error ? [error] : []), ...errors, ...ts.getPreEmitDiagnostics(compiled)]
      return textOf([...problems, ...(options.noEmit === true ? [] : compiled.emit().diagnostics)])
    },
  }
}

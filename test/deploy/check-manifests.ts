// Holds manifests against the types of the Kubernetes API, as the compiler does it for literals: no member is missing,
// unknown or of another type. A misspelt `readOnlyRootFilesystem` would otherwise
// be ignored by the cluster. Only the text that is compiled imports kubernetes-types, so knip.json excepts it.
import ts from 'typescript'
import type { Manifest } from './manifests.js'

const PATH = `${process.cwd()}/test/deploy/manifests-as-literals.ts`
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  types: [],
  lib: ['lib.es2023.d.ts'],
  skipLibCheck: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
}

/** The types of `apps/v1` are in `kubernetes-types/apps/v1`, those of `policy/v1` in …, and those of `v1` in `core/v1`. */
const moduleOf = (apiVersion: string): string => {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion]
  return `kubernetes-types/${group?.split('.')[0] ?? ''}/${version ?? ''}.js`
}

const literal = (manifest: Manifest, at: number): string =>
  `export const m${at}: import('${moduleOf(manifest.apiVersion)}').${manifest.kind} = ${JSON.stringify(manifest, null, 1)}\n`

/** The compiler's messages, with the place of the manifest in the list; none if every manifest is valid. */
export const checkManifests = (manifests: readonly unknown[]): readonly string[] => {
  const literals = (manifests as readonly Manifest[]).map(literal)
  const text = literals.join('')
  const ends = literals.map((_, at) => literals.slice(0, at + 1).join('').length)
  const host = ts.createCompilerHost(OPTIONS)
  const literalsHost: ts.CompilerHost = {
    ...host,
    fileExists: (path) => path === PATH || host.fileExists(path),
    getSourceFile: (path, ...rest) =>
      path === PATH ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2023) : host.getSourceFile(path, ...rest),
  }
  const program = ts.createProgram([PATH], OPTIONS, literalsHost)
  return ts.getPreEmitDiagnostics(program).map(({ start = 0, messageText }) => {
    const at = ends.findIndex((end) => start < end)
    return `${at}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
}

// The manifests are what the Kubernetes API accepts, to the last member: no member is missing, unknown or of another type, as the compiler
// judges literals. A misspelt `readOnlyRootFilesystem` would otherwise be ignored by the cluster. Only the text that is compiled imports
// kubernetes-types, so the settings of knip except it.
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { kustomization, type Manifest, manifestFiles, manifests } from './manifests.js'

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
const checkManifests = (manifests: readonly unknown[]): readonly string[] => {
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

const cronJob = parseAllDocuments(readFileSync('deploy/kubernetes/backup/cronjob.yaml', 'utf8')).map(
  (one) => one.toJS() as unknown,
)
/** A misspelt member, which shows that the check is on. */
const wrong = { ...manifests[0], kynd: 'x' }

it('lists every file of the folder as a resource', () => {
  expect([...kustomization.resources].sort()).toEqual([...manifestFiles].sort())
})

it('has manifests that fit the types of the Kubernetes API', () => {
  expect([manifests.length > 5, cronJob.length]).toEqual([true, 1])
  const good = [...manifests, ...cronJob]
  // all at once: the compiler takes a second to load the types
  expect(checkManifests([...good, wrong])).toStrictEqual([expect.stringMatching(new RegExp(`^${good.length}: `))])
})

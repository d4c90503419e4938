// The Kubernetes manifests that deploy/kubernetes/kustomization.yaml names, as plain values.
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'

const FOLDER = 'deploy/kubernetes'

/** Any object of Kubernetes; kubernetes-types.test.ts holds it against the type of its kind. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
}

const read = (name: string): unknown => parse(readFileSync(`${FOLDER}/${name}`, 'utf8'))

export const kustomization = read('kustomization.yaml') as {
  readonly namespace: string
  readonly resources: readonly string[]
  readonly images: readonly { readonly name: string; readonly newTag: string }[]
}

export const manifests: readonly Manifest[] = kustomization.resources.map((name) => read(name) as Manifest)

export const manifestFiles: readonly string[] = readdirSync(FOLDER).filter(
  (name) => name.endsWith('.yaml') && name !== 'kustomization.yaml',
)

/** The only manifest of a kind; kubernetes-types.test.ts holds it against its type. */
export const manifestOf = (kind: string): unknown => {
  const [found, ...others] = manifests.filter((manifest) => manifest.kind === kind)
  if (found === undefined || others.length > 0) throw new Error(`${FOLDER} needs one ${kind}`)
  return found
}

// The manifests are what the Kubernetes API accepts, to the last member.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { checkManifests } from './check-manifests.js'
import { kustomization, manifestFiles, manifests } from './manifests.js'

const cronJob = parseAllDocuments(readFileSync('deploy/kubernetes-backup/cronjob.yaml', 'utf8')).map(
  (one) => one.toJS() as unknown,
)
const pod = (container: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'probe' },
  spec: { containers: [{ name: 'probe', ...container }] },
})
const good = [...manifests, ...cronJob, pod({ ports: [{ containerPort: 1 }] })]
const probes: readonly (readonly [string, object])[] = [
  ['a misspelt member', pod({ securityContext: { readOnlyRootFileSystem: true } })],
  ['a text instead of a number', pod({ ports: [{ containerPort: '8080' }] })],
  ['a missing member', pod({ ports: [{ name: 'http' }] })],
  ['an unknown kind', { apiVersion: 'apps/v1', kind: 'Deploy', metadata: { name: 'probe' } }],
  ['a kind of another group', { apiVersion: 'v1', kind: 'Deployment', metadata: { name: 'probe' } }],
  ['an unknown group', { apiVersion: 'nowhere/v1', kind: 'Deployment', metadata: { name: 'probe' } }],
]

it('lists every file of the folder as a resource', () => {
  expect([...kustomization.resources].sort()).toEqual([...manifestFiles].sort())
})

it('has manifests that fit the types of the Kubernetes API, and would refuse every probe', () => {
  expect([manifests.length > 5, cronJob.length]).toEqual([true, 1])
  // all at once: the compiler takes a second to load the types
  const found = checkManifests([...good, ...probes.map(([, manifest]) => manifest)])
  const places = found.map((message) => Number.parseInt(message, 10))
  expect(found.filter((_, at) => (places[at] ?? 0) < good.length)).toEqual([])
  expect(probes.filter((_, at) => !places.includes(good.length + at)).map(([name]) => name)).toEqual([])
})

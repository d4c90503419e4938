// The manifests are what the Kubernetes API accepts, to the last member.
import { describe, expect, it } from 'vitest'
import { checkManifests } from './check-manifests.js'
import { kustomization, manifestFiles, manifests } from './manifests.js'

it('lists every file of the folder as a resource', () => {
  expect([...kustomization.resources].sort()).toEqual([...manifestFiles].sort())
})

it('has manifests that fit the types of the Kubernetes API', () => {
  expect(manifests.length).toBeGreaterThan(5)
  expect(checkManifests(manifests)).toEqual([])
})

describe('the check', () => {
  const pod = (container: object) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'probe' },
    spec: { containers: [{ name: 'probe', ...container }] },
  })
  const probes: readonly (readonly [string, object])[] = [
    ['a misspelt member', pod({ securityContext: { readOnlyRootFileSystem: true } })],
    ['a text instead of a number', pod({ ports: [{ containerPort: '8080' }] })],
    ['a missing member', pod({ ports: [{ name: 'http' }] })],
    ['an unknown kind', { apiVersion: 'apps/v1', kind: 'Deploy', metadata: { name: 'probe' } }],
    ['a kind of another group', { apiVersion: 'v1', kind: 'Deployment', metadata: { name: 'probe' } }],
    ['an unknown group', { apiVersion: 'nowhere/v1', kind: 'Deployment', metadata: { name: 'probe' } }],
  ]

  it('accepts a valid pod', () => {
    expect(checkManifests([pod({ ports: [{ containerPort: 8080 }] })])).toEqual([])
  })

  it('catches every probe', () => {
    // all at once: the compiler takes a second to load the types
    const found = checkManifests(probes.map(([, manifest]) => manifest))
    const caught = new Set(found.map((message) => Number.parseInt(message, 10)))
    expect(probes.filter((_, at) => !caught.has(at)).map(([name]) => name)).toEqual([])
  })
})

// The manifests agree with the service, with each other and with the types of Kubernetes.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { SETTINGS } from '../../src/config/settings.js'
import { configOf } from '../support/processes/config-of.js'
import { imageEnvironment, instruction } from './dockerfile.js'

const FOLDER = 'deploy/kubernetes'

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
}

const read = (name: string): unknown => parse(readFileSync(join(FOLDER, name), 'utf8'))
const kustomization = read('kustomization.yaml') as { readonly resources: readonly string[]; readonly images: unknown }
const manifests = kustomization.resources.map((name) => read(name) as Manifest)

/** A member of the only manifest of this kind. */
const member = (kind: string, path: string): unknown => {
  const [found, ...others] = manifests.filter((manifest) => manifest.kind === kind)
  expect([kind, others]).toEqual([found?.kind, []])
  return path.split('.').reduce((value: unknown, name) => {
    expect(value).toHaveProperty(name)
    return (value as Readonly<Record<string, unknown>>)[name]
  }, found)
}
const POD = 'spec.template.spec'
const CONTAINER = `${POD}.containers.0`
const inContainer = (path: string): unknown => member('Deployment', `${CONTAINER}.${path}`)
const portsOf = (direction: 'ingress' | 'egress'): readonly unknown[] =>
  (member('NetworkPolicy', `spec.${direction}`) as readonly { readonly ports: readonly { readonly port: unknown }[] }[])
    .flatMap(({ ports }) => ports)
    .map(({ port }) => port)

const data = member('ConfigMap', 'data') as Readonly<Record<string, string>>

const folder = mkdtempSync(join(tmpdir(), 'animal-store-secrets-'))

/** Written to a temporary folder: tests cannot create the paths of the pod. */
const SECRETS: Readonly<Record<string, string>> = {
  MONGODB_URI: 'mongodb://user:secret@db-0.example/pets?replicaSet=rs0',
  EVENTS_URL: 'nats://user:secret@nats.example:4222',
}
const environment = { ...imageEnvironment, ...data }
const secretVariables = Object.entries(SECRETS).map(([name, value]) => {
  const file = join(folder, basename(environment[`${name}_FILE`] ?? ''))
  writeFileSync(file, `${value}\n`)
  return [`${name}_FILE`, file] as const
})
const config = configOf({ ...environment, ...Object.fromEntries(secretVariables) })
rmSync(folder, { recursive: true })

describe('the settings', () => {
  it('are names that the service knows, and valid', () => {
    const known = [...Object.keys(SETTINGS), ...Object.keys(SECRETS).map((name) => `${name}_FILE`)]
    expect(Object.keys(data).filter((name) => !known.includes(name))).toEqual([])
    expect(config.store).toEqual({ _tag: 'mongodb', uri: SECRETS['MONGODB_URI'] })
    expect(config).toMatchObject({ host: '0.0.0.0', metricsHost: '0.0.0.0', trustedProxies: 1 })
  })

  it('read secrets from the mounted files, and from nowhere else', () => {
    const files = Object.keys(SECRETS).map((name) => environment[`${name}_FILE`] ?? '')
    expect(files.map(dirname)).toEqual(files.map(() => inContainer('volumeMounts.0.mountPath')))
    expect(Object.keys(environment).filter((name) => name in SECRETS)).toEqual([])
  })
})

describe('a stop', () => {
  const seconds = (path: string): number => Number(inContainer(path))

  it('drains for longer than the readiness probe takes to fail, with 5 s for a balancer to notice', () => {
    const failsAfter = seconds('readinessProbe.periodSeconds') * seconds('readinessProbe.failureThreshold')
    expect(config.drainMs).toBeGreaterThanOrEqual((failsAfter + 5) * 1_000)
  })

  it('ends before Kubernetes kills the process', () => {
    const killedAfter = Number(member('Deployment', `${POD}.terminationGracePeriodSeconds`))
    expect(config.drainMs + config.shutdownMs + 5_000).toBeLessThanOrEqual(killedAfter * 1_000)
  })

  it('leaves a pod that serves: updates start a new one first', () => {
    expect(member('Deployment', 'spec.replicas')).toBeGreaterThan(1)
    expect(member('Deployment', 'spec.strategy.rollingUpdate.maxUnavailable')).toBe(0)
  })
})

it('the probes restart a process that does not answer, and take one without its store out of the service', () => {
  for (const [probe, path] of [
    ['startup', '/health/live'],
    ['liveness', '/health/live'],
    ['readiness', '/health/ready'],
  ] as const)
    expect(inContainer(`${probe}Probe.httpGet`)).toEqual({ path, port: 'http' })
  // docs/mongodb.md: a request ends within 5 s
  expect(inContainer('readinessProbe.timeoutSeconds')).toBeGreaterThanOrEqual(5)
})

describe('the objects', () => {
  it.each([
    ['Deployment', 'spec.selector.matchLabels'],
    ['Service', 'spec.selector'],
    ['NetworkPolicy', 'spec.podSelector.matchLabels'],
    ['PodDisruptionBudget', 'spec.selector.matchLabels'],
  ])('select the same pods: %s', (kind, path) => {
    expect(member(kind, path)).toEqual(member('Deployment', 'spec.template.metadata.labels'))
  })

  it('let callers in to the ports that the service listens on, and out to MongoDB, NATS and a collector', () => {
    expect(inContainer('ports')).toMatchObject([{ containerPort: config.port }, { containerPort: config.metricsPort }])
    expect(inContainer('ports')).toMatchObject(portsOf('ingress').map((name) => ({ name })))
    expect(portsOf('egress')).toEqual(expect.arrayContaining([27_017, 4_222, 4_318]))
  })
})

describe('the pod', () => {
  // by number, because Kubernetes cannot look up a name
  it('runs as the user of the image, and can do no more than the profile `restricted` allows, on a read-only root', () => {
    const seccompProfile = { type: 'RuntimeDefault' }
    const user = { runAsNonRoot: true, runAsUser: 1000, seccompProfile }
    expect(member('Deployment', `${POD}.securityContext`)).toMatchObject(user)
    expect(instruction('USER')).toBe('1000:1000')
    expect(inContainer('securityContext')).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(inContainer('resources.limits')).toHaveProperty('memory')
  })

  // OpenShift runs containers under a random user of group 0
  it('may write to the volumes of the image as group 0', () => {
    const [, image] = readFileSync('Dockerfile', 'utf8').split(/^FROM .*(?<!build)$/m)
    // the classic builder's COPY loses a mode that was set in an earlier stage
    expect(image).toContain('RUN mkdir -m 0770 /data /backups && chown 1000:0 /data /backups\n')
  })
})

it('the kustomization names all manifests of the folder', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
  expect(kustomization.resources.toSorted()).toEqual(files.toSorted())
})

// The manifests agree with the service and with each other.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SETTINGS } from '../../src/config/settings.js'
import { configOf } from '../support/processes/config-of.js'
import { imageEnvironment, instruction } from './dockerfile.js'
import { kustomization, manifestOf } from './manifests.js'

type Labels = Readonly<Record<string, string>>

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
  readonly periodSeconds: number
  readonly timeoutSeconds?: number
  readonly failureThreshold: number
}

interface Deployment {
  readonly spec: {
    readonly replicas: number
    readonly selector: { readonly matchLabels: Labels }
    readonly strategy: { readonly rollingUpdate: object }
    readonly template: {
      readonly metadata: { readonly labels: Labels }
      readonly spec: {
        readonly terminationGracePeriodSeconds: number
        readonly securityContext: object
        readonly containers: readonly {
          readonly image: string
          readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
          readonly startupProbe: Probe
          readonly livenessProbe: Probe
          readonly readinessProbe: Probe
          readonly resources: { readonly limits: object }
          readonly securityContext: object
          readonly volumeMounts: readonly { readonly mountPath: string }[]
        }[]
      }
    }
  }
}

interface Policy {
  readonly spec: {
    readonly podSelector: { readonly matchLabels: Labels }
    readonly ingress: readonly { readonly ports: readonly { readonly port: string }[] }[]
    readonly egress: readonly { readonly ports: readonly { readonly port: number }[] }[]
  }
}

const { spec } = manifestOf('Deployment') as Deployment
const pod = spec.template.spec
const [container] = pod.containers
if (container === undefined) throw new Error('the pod has no container')
const { data } = manifestOf('ConfigMap') as { readonly data: Readonly<Record<string, string>> }

const folder = mkdtempSync(join(tmpdir(), 'animal-store-secrets-'))

/** The secrets as files, which tests cannot have where the pod has them. */
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

  it('name the public address, which a pod cannot know', () => {
    expect(config.publicUrl).toMatch(/^https:\/\/.*\/v1$/)
  })

  it('read secrets from the mounted files, and from nowhere else', () => {
    const files = Object.keys(SECRETS).map((name) => environment[`${name}_FILE`] ?? '')
    expect(files.map(dirname)).toEqual(files.map(() => container.volumeMounts[0]?.mountPath))
    expect(Object.keys(environment).filter((name) => name in SECRETS)).toEqual([])
  })
})

describe('a stop', () => {
  it('drains for longer than the readiness probe takes to fail, with 5 s for a balancer to notice', () => {
    const { periodSeconds, failureThreshold } = container.readinessProbe
    expect(config.drainMs).toBeGreaterThanOrEqual((periodSeconds * failureThreshold + 5) * 1_000)
  })

  it('ends before Kubernetes kills the process', () => {
    const { drainMs, shutdownMs } = config
    expect(drainMs + shutdownMs + 5_000).toBeLessThanOrEqual(pod.terminationGracePeriodSeconds * 1_000)
  })

  it('leaves a pod that serves: updates start a new one first', () => {
    expect(spec.replicas).toBeGreaterThan(1)
    expect(spec.strategy.rollingUpdate).toMatchObject({ maxUnavailable: 0 })
  })
})

describe('the probes', () => {
  it('restart a process that does not answer, and take one without its store out of the service', () => {
    const { startupProbe, livenessProbe, readinessProbe } = container
    expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)).toEqual([
      { path: '/health/live', port: 'http' },
      { path: '/health/live', port: 'http' },
      { path: '/health/ready', port: 'http' },
    ])
  })

  it('wait for as long as the store may take to answer', () => {
    // docs/mongodb.md: a request ends within 5 s
    expect(container.readinessProbe.timeoutSeconds).toBeGreaterThanOrEqual(5)
  })
})

describe('the objects', () => {
  it('select the same pods', () => {
    const selectors = [
      spec.selector.matchLabels,
      (manifestOf('Service') as { readonly spec: { readonly selector: Labels } }).spec.selector,
      (manifestOf('NetworkPolicy') as Policy).spec.podSelector.matchLabels,
      (manifestOf('PodDisruptionBudget') as Deployment).spec.selector.matchLabels,
    ]
    expect(selectors).toEqual(selectors.map(() => spec.template.metadata.labels))
  })

  it('let callers in to the ports that the service listens on', () => {
    const ports = (manifestOf('NetworkPolicy') as Policy).spec.ingress.flatMap((rule) => rule.ports)
    expect(ports.map(({ port }) => port)).toEqual(container.ports.map(({ name }) => name))
    expect(container.ports.map(({ containerPort }) => containerPort)).toEqual([config.port, config.metricsPort])
  })

  it('let the service reach MongoDB, NATS and a collector of traces', () => {
    const ports = (manifestOf('NetworkPolicy') as Policy).spec.egress.flatMap((rule) => rule.ports)
    expect(ports.map(({ port }) => port)).toEqual(expect.arrayContaining([27_017, 4_222, 4_318]))
  })

  it('need the same version of Kubernetes on every page', () => {
    const versions = ['docs/deployment.md', 'deploy/kubernetes/kustomization.yaml'].flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/Kubernetes (\d\.\d+) or later/g)].map(([, version]) => version),
    )
    expect([versions.length, new Set(versions).size]).toStrictEqual([2, 1])
  })

  it('run this version', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }
    expect(kustomization.images).toEqual([{ name: container.image, newTag: version }])
  })
})

describe('the pod', () => {
  it('runs as the user of the image, by number, as Kubernetes cannot look a name up', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
    expect(instruction('USER')).toBe('1000:1000')
  })

  it('can do no more than the profile `restricted` allows, on a read-only root', () => {
    expect(pod.securityContext).toMatchObject({ seccompProfile: { type: 'RuntimeDefault' } })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })

  it('has a limit of memory', () => {
    expect(container.resources.limits).toHaveProperty('memory')
  })

  // OpenShift runs containers under a random user of group 0
  it('may write to the volumes of the image as group 0', () => {
    const [, image] = readFileSync('Dockerfile', 'utf8').split(/^FROM .*(?<!build)$/m)
    // a mode that is set in an earlier stage is lost by COPY with the classic builder
    expect(image).toContain('RUN mkdir -m 0770 /data /backups && chown 1000:0 /data /backups\n')
  })
})

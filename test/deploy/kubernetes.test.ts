// The manifests agree with the service, with its image and with each other.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { fileVariable, rowOf, SETTING_NAMES } from '../../src/config/settings.js'
import { configOf } from '../support/processes/config-of.js'
import { imageEnvironment, instruction } from './dockerfile.js'

const FOLDER = 'deploy/kubernetes'

/** A member of the manifest in this file; fails if there is none. */
const member = (name: string, path: string): unknown => {
  const manifest: unknown = parse(readFileSync(`${FOLDER}/${name}.yaml`, 'utf8'))
  return path.split('.').reduce((value, key) => {
    expect(value).toHaveProperty(key)
    return (value as Readonly<Record<string, unknown>>)[key]
  }, manifest)
}
const POD = 'spec.template.spec'
const inContainer = (path: string): unknown => member('deployment', `${POD}.containers.0.${path}`)
const seconds = (path: string): number => Number(inContainer(path))

const data = member('settings', 'data') as Readonly<Record<string, string>>
const environment: Readonly<Record<string, string>> = { ...imageEnvironment, ...data }
const secrets = SETTING_NAMES.filter((name) => rowOf(name).isSecret)
const files = Object.entries(environment).filter(([name]) => secrets.map(fileVariable).includes(name))
// tests cannot create the files of the pod
const config = configOf({
  ...Object.fromEntries(Object.entries(environment).filter(([name]) => !name.endsWith('_FILE'))),
  MONGODB_URI: 'mongodb://db-0.example/pets',
})

describe('the settings', () => {
  it('are names that the service knows, and serve callers outside the pod behind one proxy', () => {
    const known: readonly string[] = [...SETTING_NAMES, ...secrets.map(fileVariable)]
    expect(Object.keys(data).filter((name) => !known.includes(name))).toEqual([])
    expect(config).toMatchObject({ host: '0.0.0.0', metricsHost: '0.0.0.0', trustedProxies: 1 })
  })

  it('read secrets from the mounted files, and from nowhere else', () => {
    expect(files.map(([name]) => name)).toEqual(['MONGODB_URI_FILE', 'EVENTS_URL_FILE'])
    expect(files.map(([, path]) => dirname(path))).toEqual(files.map(() => inContainer('volumeMounts.0.mountPath')))
    expect(secrets.filter((name) => name in environment)).toEqual([])
  })
})

describe('a stop', () => {
  it('drains for longer than the readiness probe takes to fail, with 5 s for a balancer to notice', () => {
    const failsAfter = seconds('readinessProbe.periodSeconds') * seconds('readinessProbe.failureThreshold')
    expect(config.drainMs).toBeGreaterThanOrEqual((failsAfter + 5) * 1_000)
  })

  it('ends before Kubernetes kills the process', () => {
    const killedAfter = Number(member('deployment', `${POD}.terminationGracePeriodSeconds`))
    expect(config.drainMs + config.shutdownMs + 5_000).toBeLessThanOrEqual(killedAfter * 1_000)
  })
})

it('the probes restart a process that does not answer, and take one without its store out of the service', () => {
  const paths = ['startup', 'liveness', 'readiness'].map((probe) => inContainer(`${probe}Probe.httpGet.path`))
  expect(paths).toEqual(['/health/live', '/health/live', '/health/ready'])
  // docs/mongodb.md: a request ends within 5 s
  expect(seconds('readinessProbe.timeoutSeconds')).toBeGreaterThanOrEqual(5)
})

describe('the objects', () => {
  it.each([
    ['deployment', 'spec.selector.matchLabels'],
    ['service', 'spec.selector'],
    ['network-policy', 'spec.podSelector.matchLabels'],
    ['pod-disruption-budget', 'spec.selector.matchLabels'],
  ])('select the same pods: %s', (name, path) => {
    expect(member(name, path)).toEqual(member('deployment', 'spec.template.metadata.labels'))
  })

  it('let callers in to the ports that the service listens on', () => {
    expect(inContainer('ports')).toEqual([
      { name: member('network-policy', 'spec.ingress.0.ports.0.port'), containerPort: config.port },
      { name: member('network-policy', 'spec.ingress.1.ports.0.port'), containerPort: config.metricsPort },
    ])
  })
})

it('the pod runs as the user of the image, whose name Kubernetes cannot look up', () => {
  const user = member('deployment', `${POD}.securityContext`)
  expect(user).toMatchObject({ runAsNonRoot: true, runAsUser: Number(instruction('USER').split(':')[0]) })
})

// OpenShift runs containers under a random user of group 0
it('the image may write to its volumes as group 0', () => {
  const [, image] = readFileSync('Dockerfile', 'utf8').split(/^FROM .*(?<!build)$/m)
  // the classic builder's COPY loses a mode that was set in an earlier stage
  expect(image).toContain('RUN mkdir -m 0770 /data /backups && chown 1000:0 /data /backups\n')
})

it('the kustomization names all manifests of the folder', () => {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
  expect((member('kustomization', 'resources') as readonly string[]).toSorted()).toEqual(names.toSorted())
})

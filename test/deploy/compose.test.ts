// docker-compose.yml passes the settings on, except those that hold for the container.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { imageEnvironment } from './dockerfile.js'

interface Service {
  readonly image: string
  readonly build?: { readonly context: string }
  readonly logging?: unknown
  readonly env_file: readonly unknown[]
  readonly environment: Readonly<Record<string, unknown>>
}

const servicesOf = (path: string) =>
  (parse(readFileSync(path, 'utf8'), { merge: true }) as { readonly services: Readonly<Record<string, Service>> })
    .services

const { env_file, environment } = servicesOf('docker-compose.yml')['service'] as Service

it('reads the settings from .env, if there is one', () => {
  expect(env_file).toEqual([{ path: '.env', required: false }])
})

it('keeps the addresses of the image, whatever a copy of .env.example says', () => {
  const texts = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]))
  const { NODE_ENV: _, ...image } = imageEnvironment
  expect(texts).toMatchObject(image)
})

// docker-compose.embedded.yml includes its services with the paths of the clone
describe.each(['docker-compose.yml', 'deploy/embedded-services.yml'])('%s', (path) => {
  const services = Object.values(servicesOf(path))

  it('builds each of our containers from this clone', () => {
    const ours = services.filter(({ image }) => image.startsWith('${SERVICE_IMAGE:-'))
    expect(ours.length).toBeGreaterThan(0)
    for (const { build } of ours) expect(resolve(build?.context ?? '/')).toBe(process.cwd())
  })

  it('bounds the logs of each container', () => {
    for (const { logging } of services)
      expect(logging).toMatchObject({ options: { 'max-size': '10m', 'max-file': '5' } })
  })
})

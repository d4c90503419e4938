// docker-compose.yml passes the settings on, except those that hold for the container.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { imageEnvironment } from './dockerfile.js'

interface Compose {
  readonly services: {
    readonly service: { readonly env_file: readonly unknown[]; readonly environment: Readonly<Record<string, unknown>> }
  }
}

const { env_file, environment } = (parse(readFileSync('docker-compose.yml', 'utf8')) as Compose).services.service

it('reads the settings from .env, if there is one', () => {
  expect(env_file).toEqual([{ path: '.env', required: false }])
})

it('keeps the addresses of the image, whatever a copy of .env.example says', () => {
  const texts = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]))
  const { NODE_ENV: _, ...image } = imageEnvironment
  expect(texts).toMatchObject(image)
})

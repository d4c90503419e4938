// The result of `docker compose` for each compose file and an operator's `.env`. It needs no Docker engine.
import { execFile } from 'node:child_process'
import { cp, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { describeWith } from '../support/containers/describe-with.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'
import { imageEnvironment } from './dockerfile.js'

interface Service {
  readonly ports: readonly unknown[]
  readonly environment: Readonly<Record<string, string>>
  readonly build?: unknown
}

const ENV = `HOST=127.0.0.1
METRICS_HOST=127.0.0.1
PORT=9191
PUBLIC_URL=https://pets.example/v1
LOG_LEVEL=debug
DATA_DIR=./data
`

describeWith('docker', 'docker compose', (docker) => {
  /** The services in effect in a copy of the clone, with this `.env` if given. */
  const servicesOf = async (file: string, env?: string) => {
    const clone = await realpath(await temporaryFolder())
    for (const name of ['docker-compose.yml', 'deploy']) await cp(name, join(clone, name), { recursive: true })
    if (env !== undefined) await writeFile(join(clone, '.env'), env)
    // without the settings of the test machine
    const { PATH, HOME } = process.env
    const args = ['compose', '--profile', '*', '--file', file, 'config', '--format', 'json']
    const { stdout } = await promisify(execFile)(docker, args, { cwd: clone, env: { PATH, HOME } })
    const { services } = JSON.parse(stdout) as { readonly services: Readonly<Record<'service', Service>> }
    return { clone, service: services.service, all: Object.values(services) }
  }

  describe.each(['docker-compose.yml', 'deploy/docker-compose.embedded.yml'])('on %s', (file) => {
    it('publishes at the port and the address of .env, and passes its log level on', async () => {
      const { ports, environment } = (await servicesOf(file, ENV)).service
      expect(ports).toMatchObject([{ host_ip: '127.0.0.1', published: '9191', target: 8080 }])
      // the settings of the image still apply
      const { NODE_ENV: _, ...image } = imageEnvironment
      expect(environment).toMatchObject({ ...image, PUBLIC_URL: 'https://pets.example/v1', LOG_LEVEL: 'debug' })
    })

    it('names the published port in PUBLIC_URL if only that is set', async () => {
      const { environment } = (await servicesOf(file, 'PORT=9191')).service
      expect(environment).toMatchObject({ PUBLIC_URL: 'http://localhost:9191/v1' })
    })

    it('needs no .env, builds each of our containers from this clone, and bounds the logs of each', async () => {
      const { clone, service, all } = await servicesOf(file)
      expect(service.build).toMatchObject({ context: clone })
      for (const { build } of all) expect(build).toBeOneOf([undefined, service.build])
      const logging = { options: { 'max-size': '10m', 'max-file': '5' } }
      expect(all).toMatchObject(all.map(() => ({ logging })))
    })
  })
})

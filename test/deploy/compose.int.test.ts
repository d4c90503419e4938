// What `docker compose` makes of each compose file and a `.env` of the operator. It needs no engine.
import { execFile } from 'node:child_process'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { describeWith } from '../support/containers/describe-with.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

interface Effective {
  readonly services: Readonly<
    Record<'service', { readonly ports: readonly unknown[]; readonly environment: Readonly<Record<string, string>> }>
  >
}

const FILES = ['docker-compose.yml', 'deploy/docker-compose.embedded.yml']

describeWith('docker', 'docker compose', (docker) => {
  /** The service in force in a copy of the clone with this `.env`. */
  const serviceOf = async (file: string, env: string, options: readonly string[] = []) => {
    const clone = await temporaryFolder()
    for (const name of ['docker-compose.yml', 'deploy']) await cp(name, join(clone, name), { recursive: true })
    await writeFile(join(clone, '.env'), env)
    await writeFile(join(clone, 'other.env'), 'PORT=7777')
    // no setting of the machine that runs the test
    const { PATH, HOME } = process.env
    const args = ['compose', ...options, '--file', file, 'config', '--format', 'json']
    const { stdout } = await promisify(execFile)(docker, args, { cwd: clone, env: { PATH, HOME } })
    return (JSON.parse(stdout) as Effective).services.service
  }
  const ENV = 'HOST=127.0.0.1\nPORT=9191\nPUBLIC_URL=https://pets.example/v1\nLOG_LEVEL=debug\nDATA_DIR=./data\n'

  it.each(FILES)('publishes %s at the port and the address of .env, and passes its log level on', async (file) => {
    const { ports, environment } = await serviceOf(file, ENV)
    expect(ports).toMatchObject([{ host_ip: '127.0.0.1', published: '9191', target: 8080 }])
    // those of the container hold in it
    expect(environment).toMatchObject({ HOST: '0.0.0.0', PORT: '8080', DATA_DIR: '/data' })
    expect(environment).toMatchObject({ PUBLIC_URL: 'https://pets.example/v1', LOG_LEVEL: 'debug' })
  })

  it.each(FILES)('names the published port of %s in PUBLIC_URL if only that is set', async (file) => {
    const { environment } = await serviceOf(file, 'PORT=9191')
    expect(environment).toMatchObject({ PUBLIC_URL: 'http://localhost:9191/v1' })
  })

  it.each(FILES)('prefers the file of --env-file for %s', async (file) => {
    const { ports } = await serviceOf(file, ENV, ['--env-file', 'other.env'])
    expect(ports).toMatchObject([{ published: '7777' }])
  })
})

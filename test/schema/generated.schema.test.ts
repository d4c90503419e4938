// Generated from openapi.yaml by other tools: requests by Schemathesis, and a client that refuses undeclared members.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, inject, it } from 'vitest'
import { describeWith } from '../support/containers/describe-with.js'
import { BUILT, startCli } from '../support/processes/cli-process.js'
import { issueKey } from '../support/processes/service-process.js'
import { byNight } from '../support/runner/night.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'
import { installPackages } from './python.js'

const execute = promisify(execFile)
const HERE = import.meta.dirname

describeWith('python3', 'the description', (python3) => {
  let programs: string
  beforeAll(async () => {
    programs = await installPackages(python3)
  }, 300_000)

  /** The built service on the store that STORE names, until the test ends. */
  const start = async () => {
    const { mongodb } = inject('services')
    const uri = new URL('address' in mongodb ? mongodb.address : 'mongodb://127.0.0.1')
    uri.pathname = '/animal_store_schema'
    const { STORE = 'memory' } = process.env
    const DATA_DIR = await temporaryFolder()
    const settings = { STORE, DATA_DIR, MONGODB_URI: uri.href, PORT: '0', DRAIN_SECONDS: '0' }
    // other stores print a first key
    const issued = STORE === 'mongodb' ? await issueKey(settings) : undefined
    const { find } = startCli(BUILT, settings, 'serve')
    const { origin } = new URL(await find(/"url":"(http:[^"]+)"/))
    return { origin, key: issued ?? (await find(/(ast_live_\w+)\n/)) }
  }
  const useGeneratedClient = (origin: string, key: string) =>
    execute(join(programs, 'python'), [join(HERE, 'client.py'), origin], { env: { API_KEY: key } })

  it('holds for requests that Schemathesis generates from it [list-pets]', { timeout: 600_000 }, async () => {
    const { origin, key } = await start()
    const cwd = await temporaryFolder()
    const options = ['--config-file', join(HERE, 'schemathesis.toml'), '--no-color']
    const examples = ['--max-examples', String(byNight(250, 50))]
    const words = ['run', `${origin}/openapi.json`, '--header', `Authorization: Bearer ${key}`, ...examples]
    const env = { SCHEMATHESIS_HOOKS: join(HERE, 'hooks.py'), PYTHONDONTWRITEBYTECODE: '1' }
    const run = execute(join(programs, 'schemathesis'), [...options, ...words], { cwd, env, maxBuffer: 10_000_000 })
    // the report lists the failures, how to repeat them, and the seed
    const { stdout } = await run.catch((error: unknown) => {
      throw new Error(error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error))
    })
    expect(stdout).toMatch(/^ {2}(\d+) generated, \1 passed/m)
    expect(Number(/(\d+) generated/.exec(stdout)?.[1])).toBeGreaterThan(byNight(1_000, 200))
  })

  it('suffices for a generated client that refuses undeclared members [error-shape]', { timeout: 60_000 }, async () => {
    const { origin, key } = await start()
    expect(await useGeneratedClient(origin, key)).toStrictEqual({ stdout: '', stderr: '' })
  })
})

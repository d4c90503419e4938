// Unless it stops cleanly, the service ends with one fatal line on stdout, where the rest of its log goes.
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { halfCreate } from './support/http/raw.js'
import { BODY } from './support/http/raw-requests.js'
import { childEnvironment } from './support/processes/child-environment.js'
import { type CliProcess, type Environment, SOURCES, startProcess } from './support/processes/cli-process.js'
import { startInMemory } from './support/processes/service-process.js'
import { temporaryFolder } from './support/runner/temporary-folder.js'

const fatalLines = ({ stdout }: CliProcess): readonly unknown[] =>
  stdout()
    .split('\n')
    .filter((line) => line.includes('"level":"fatal"'))
    .map((line): unknown => JSON.parse(line))

const NOT_STARTED = { service: 'animal-store', msg: 'the service could not start' }

const serveIn = async (dotEnv: string, environment: Environment, ...words: readonly string[]) => {
  const cwd = await temporaryFolder()
  const file = join(cwd, '.env')
  await writeFile(file, dotEnv)
  const env = childEnvironment({ DATA_DIR: file, PORT: '0', ...environment })
  const cli = startProcess(process.execPath, [...SOURCES.map((path) => resolve(path)), 'serve', ...words], env, { cwd })
  return { cli, code: await cli.exit }
}

describe('a service that cannot start', () => {
  it.each<readonly [string, number, string, Environment, readonly string[]]>([
    ['its store cannot be opened', 1, '', {}, []],
    ['a setting is bad', 78, '', { STORE: 'disk' }, []],
    ['its .env is bad', 78, 'no setting\n', {}, []],
    ['a driver refuses its address', 78, '', { MONGODB_URI: 'mongodb://user:hunter2@localhost/pets?foo=1' }, []],
    ['an option is unknown', 2, '', { STORE: 'memory' }, ['--port']],
  ])('says so once, beside the reason on stderr, if %s', async (_, expected, dotEnv, environment, words) => {
    const { cli, code } = await serveIn(dotEnv, environment, ...words)
    expect([code, cli.stderr()]).toStrictEqual([expected, expect.stringMatching(/\S/)])
    expect(fatalLines(cli)).toMatchObject([NOT_STARTED])
    expect(cli.stdout()).not.toContain('hunter2')
  })

  it('says nothing on stdout with LOG_LEVEL=silent', async () => {
    for (const environment of [{}, { STORE: 'disk' }]) {
      const { cli } = await serveIn('', { LOG_LEVEL: 'silent', ...environment })
      expect(cli.stdout()).toBe('')
    }
  })
})

it.each([
  ['cuts requests off', '0.1', 1, [{ msg: 'the stop has cut off requests', shutdownSeconds: 0.1 }]],
  ['is complete', '10', 0, []],
] as const)('a stop that %s', async (_, seconds, code, lines) => {
  const cli = await startInMemory({ SHUTDOWN_SECONDS: seconds })
  const socket = await halfCreate(cli.port, cli.key)
  socket.on('error', () => socket.destroy())
  cli.signal('SIGTERM')
  if (code === 0) socket.write(BODY)
  expect(await cli.exit).toBe(code)
  expect(fatalLines(cli)).toMatchObject(lines)
})

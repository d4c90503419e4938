// Lost output affects neither requests nor the stop of a service, but it fails a command.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { childEnvironment } from './support/processes/child-environment.js'
import { SOURCES, startProcess } from './support/processes/cli-process.js'

const START = 'exec "$0" "$@" '
const serving = { STORE: 'memory', PORT: '0', DRAIN_SECONDS: '0' }
const ADDRESS = /http:[^"\s]+\/v1/

/** Bash opens stdout or stderr as `redirected` says, then becomes the command. */
const startWith = (redirected: string, ...words: readonly string[]) =>
  startProcess('bash', ['-c', START + redirected, process.execPath, ...SOURCES, ...words], childEnvironment(serving))

describe.skipIf(process.platform !== 'linux')('on a full device', () => {
  it.each([
    ['the log', '>/dev/full'],
    ['every message', '2>/dev/full'],
  ] as const)('%s is lost, and the service answers and stops [listening]', async (_, redirected) => {
    const { find, end } = startWith(redirected, 'serve')
    const pets = `${await find(ADDRESS)}/pets`
    for (let count = 0; count < 3; count += 1) expect((await fetch(pets)).status).toBe(401)
    expect(await end('SIGINT')).toBe(0)
  })
})

it.each([
  ['takes nothing costs lines, but neither requests nor the stop', false],
  ['takes some now and then gets every line', true],
])('a reader of the log that %s', async (_, reads) => {
  const env = childEnvironment({ ...serving, LOG_LEVEL: 'debug' })
  const cli = spawn(process.execPath, [...SOURCES, 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void cli.kill('SIGKILL'))
  let printed = ''
  cli.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  await expect.poll(() => printed).toMatch(ADDRESS)
  cli.stdout.pause()
  const path = `${ADDRESS.exec(printed)?.[0]}/${'long/'.repeat(40)}`
  // more than the pipe and Node's read buffer hold
  for (let round = 0; round < 100; round += 1) {
    const replies = await Promise.all(Array.from({ length: 30 }, () => fetch(path)))
    expect(new Set(replies.map(({ status }) => status))).toStrictEqual(new Set([404]))
  }
  const reading = setInterval(() => void (reads && cli.stdout.read()), 200)
  const closed = once(cli, 'close')
  cli.kill('SIGTERM')
  const [code] = await once(cli, 'exit')
  clearInterval(reading)
  expect(code).toBe(0)
  cli.stdout.resume()
  await closed
  const isWhole = printed.split('"msg":"request"').length === 3_001
  expect([isWhole, printed.includes('"msg":"stopped"')]).toStrictEqual([reads, reads])
})

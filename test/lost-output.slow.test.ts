// Output that cannot be written costs neither requests nor the stop, and fails a command.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { childEnvironment } from './support/processes/child-environment.js'
import { SOURCES } from './support/processes/cli-process.js'

const FULL = '/dev/full'

const startWith = (full: 'stdout' | 'stderr', ...words: readonly string[]) => {
  const device = openSync(FULL, 'w')
  const stdio = full === 'stdout' ? (['ignore', device, 'pipe'] as const) : (['ignore', 'pipe', device] as const)
  const env = childEnvironment({ STORE: 'memory', PORT: '0', DRAIN_SECONDS: '0' })
  const child = spawn(process.execPath, [...SOURCES, ...words], { env, stdio: [...stdio] })
  closeSync(device)
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  const other = full === 'stdout' ? child.stderr : child.stdout
  other?.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  return {
    exit: once(child, 'close').then(([code]: unknown[]) => code),
    stop: () => void child.kill('SIGINT'),
    url: async () => {
      await expect.poll(() => printed).toMatch(/http:\S+\/v1/)
      return /http:[^"\s]+\/v1/.exec(printed)?.[0] ?? ''
    },
  }
}

describe.skipIf(process.platform !== 'linux')('on a full device', () => {
  it.each([
    ['the log', 'stdout'],
    ['every message', 'stderr'],
  ] as const)('%s is lost, and the service answers and stops [listening]', async (_, full) => {
    const { url, stop, exit } = startWith(full, 'serve')
    const pets = `${await url()}/pets`
    for (let count = 0; count < 3; count += 1) expect((await fetch(pets)).status).toBe(401)
    stop()
    expect(await exit).toBe(0)
  })

  it.each([['--version'], ['--help']])('%s fails', async (word) => {
    expect(await startWith('stdout', word).exit).toBe(1)
  })
})

it('a reader of the log that takes nothing costs lines, but neither requests nor the stop', async () => {
  const cli = spawn(process.execPath, [...SOURCES, 'serve'], {
    env: childEnvironment({ STORE: 'memory', PORT: '0', DRAIN_SECONDS: '0', LOG_LEVEL: 'debug' }),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void cli.kill('SIGKILL'))
  let printed = ''
  cli.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  await expect.poll(() => printed).toMatch(/http:\S+\/v1/)
  cli.stdout.pause()
  const path = `${/http:[^"\s]+\/v1/.exec(printed)?.[0]}/${'long/'.repeat(40)}`
  // more than the pipe holds, and what Node reads ahead
  for (let round = 0; round < 40; round += 1) {
    const replies = await Promise.all(Array.from({ length: 30 }, () => fetch(path)))
    expect(new Set(replies.map(({ status }) => status))).toStrictEqual(new Set([404]))
  }
  cli.kill('SIGTERM')
  const [code] = await once(cli, 'exit')
  expect(code).toBe(0)
  cli.stdout.resume()
  await once(cli, 'close')
  expect(printed).not.toContain('"msg":"stopped"')
})

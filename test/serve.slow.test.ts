import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { startInMemory } from './support/processes/service-process.js'
import { temporaryPath } from './support/runner/temporary-folder.js'

const failing = (statement: string): readonly string[] => [
  '--import',
  `data:text/javascript,process.on('SIGUSR2', () => { ${statement} })`,
]

describe('a stop', () => {
  it('does not follow SIGHUP, which is logged each time', async () => {
    const { url, signal, end, stdout } = await startInMemory()
    for (const times of [0, 1, 2]) {
      await expect.poll(() => stdout().split('"msg":"SIGHUP is ignored"')).toHaveLength(times + 1)
      signal('SIGHUP')
    }
    expect((await fetch(new URL('/health/ready', url))).status).toBe(200)
    expect(await end('SIGTERM')).toBe(0)
  })

  it('writes its last lines in order, even if they have to wait', async () => {
    const fifo = await temporaryPath()
    execFileSync('mkfifo', [fifo])
    // blocks the only thread that writes the log until the FIFO's other end opens, after the stop
    const occupied = `import { closeSync, open, openSync } from 'node:fs'
      process.on('SIGTERM', () => {
        open('${fifo}', 'r', () => {})
        setTimeout(() => closeSync(openSync('${fifo}', 'w')), 90)
      })`
    const environment = { UV_THREADPOOL_SIZE: '1', DRAIN_SECONDS: '0.03' }
    const program = `data:text/javascript,${encodeURIComponent(occupied)}`
    const { signal, exit, lines } = await startInMemory(environment, ['--import', program])
    signal('SIGTERM')
    expect(await exit).toBe(0)
    expect(lines().slice(-2)).toMatchObject([{ msg: 'stopping' }, { msg: 'stopped' }])
  })

  it('tells a person who pressed Ctrl-C how long it may take, and how to end it at once', async () => {
    const { signal, exit, stderr } = await startInMemory({ DRAIN_SECONDS: '0.1', SHUTDOWN_SECONDS: '7' })
    signal('SIGINT')
    expect(await exit).toBe(0)
    expect(stderr()).toMatch(/^stopping, up to 7\.1 s; press Ctrl-C again to stop immediately$/m)
  })
})

describe('an uncaught error', () => {
  it.each([
    [
      'exception',
      'process.nextTick(() => { throw new Error("second") }); throw new Error("boom")',
      'uncaughtException',
    ],
    ['rejection', 'for (const text of ["boom", "second"]) void Promise.reject(new Error(text))', 'unhandledRejection'],
  ])('ends the process with one line and exit code 1, even if a second follows: %s', async (_, statement, origin) => {
    const { signal, exit, lines, stderr } = await startInMemory({}, failing(statement))
    const before = stderr()
    signal('SIGUSR2')
    expect(await exit).toBe(1)
    expect(lines().at(-1)).toMatchObject({
      level: 'fatal',
      service: 'animal-store',
      msg: 'uncaught error',
      origin,
      err: { type: 'Error', message: 'boom', stack: expect.stringContaining('Error: boom') },
    })
    expect(lines()).toHaveLength(4)
    expect(stderr()).toBe(before)
  })
})

describe('the log', () => {
  it('contains the effective settings at the level debug, without passwords', async () => {
    const { lines, stdout } = await startInMemory({
      LOG_LEVEL: 'debug',
      EVENTS_URL: 'nats://u:hunter2@127.0.0.1:1',
      GET_PET: 'off',
    })
    expect(lines()[0]).toMatchObject({ level: 'info', msg: 'starting', store: 'memory' })
    expect(lines()[1]).toMatchObject({
      level: 'debug',
      msg: 'settings',
      settings: {
        PORT: '0',
        STORE: 'memory',
        GET_PET: 'off',
        EVENTS_URL: '(hidden)',
        MAX_IN_FLIGHT: '1000',
        PUBLIC_URL: null,
      },
    })
    expect(stdout()).not.toContain('hunter2')
  })
})

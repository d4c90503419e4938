// The service as a process: its start, its output, and its stop with requests in flight.
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { client } from './support/http/client.js'
import { answersIn, openSocket, readAll, readUntil } from './support/http/raw.js'
import { BODY, get, postHead } from './support/http/raw-requests.js'
import { startListening } from './support/network/start-listening.js'
import { type Environment, SOURCES, startCli } from './support/processes/cli-process.js'

const serve = (environment: Environment) => startCli(SOURCES, environment, 'serve')

const start = async (environment: Environment = {}) => {
  const cli = serve({ STORE: 'memory', PORT: '0', DRAIN_SECONDS: '0', ...environment })
  const key = await cli.find(/(ast_live_\w+)\n/)
  const url = await cli.find(/"url":"(http:[^"]+)"/)
  return { ...cli, key, url, port: Number(new URL(url).port), call: client(url, key) }
}

/** A create in flight: the service has asked for the body, which `finish` sends. */
const halfCreate = async (port: number, key: string) => {
  const socket = await openSocket(port)
  const asked = readUntil(socket, /^HTTP\/1\.1 100 Continue\r\n\r\n$/)
  socket.write(postHead(key, BODY.length, 'Expect: 100-continue\r\n'))
  await asked
  return { socket, finish: () => socket.write(BODY) }
}

const GET = get('/health/live')

describe('animal-store serve', () => {
  it('prints its address, its key and a warning that it keeps no data; then it serves and stops [listening memory]', async () => {
    const { stdout, stderr, url, key, call, signal, exit } = await start()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/v1$/)
    expect(stderr()).toContain('STORE=memory keeps data only until this process ends')
    expect(stderr()).toContain(`API key (gone when this process ends): ${key}\n`)
    expect(stderr()).toContain(`curl -H "Authorization: Bearer ${key}" ${url}/pets\n`)
    expect((await call('POST', '/v1/pets', { body: BODY })).status).toBe(201)
    signal('SIGTERM')
    expect(await exit).toBe(0)
    expect(stdout()).not.toContain(key)
    const lines = stdout()
      .trim()
      .split('\n')
      // Node.js 20 gets a warning: test/serve.test.ts
      .filter((line) => !line.includes('this version of Node.js'))
      .map((line): unknown => JSON.parse(line))
    const messages = ['starting', 'listening', 'key created', 'request', 'stopping', 'stopped']
    expect(lines).toMatchObject(messages.map((msg) => ({ msg, level: 'info' })))
    expect(lines[1]).toMatchObject({ url })
  })

  it('answers requests in flight before it exits, and accepts no new ones [stop]', async () => {
    const { port, key, signal, exit } = await start()
    const { socket, finish } = await halfCreate(port, key)
    signal('SIGINT')
    await expect
      .poll(() =>
        openSocket(port).then(
          (taken) => {
            taken.destroy()
            return 'taken'
          },
          () => 'refused',
        ),
      )
      .toBe('refused')
    finish()
    const [answer] = answersIn(await readAll(socket))
    expect(answer).toMatchObject({ status: 201 })
    expect(answer?.headers.get('Connection')).toBe('close')
    expect(await exit).toBe(0)
  })

  it('accepts connections for DRAIN_SECONDS while it is not ready, and says Connection: close on every answer [stop]', async () => {
    const { call, signal, exit } = await start({ DRAIN_SECONDS: '2' })
    const connectionOf = async (...[method, path, options]: Parameters<typeof call>) => {
      const { status, headers } = await call(method, path, options)
      return [status, headers.get('Connection')]
    }
    expect(await connectionOf('GET', '/health/ready')).toEqual([200, 'keep-alive'])
    signal('SIGTERM')
    await expect.poll(() => connectionOf('GET', '/health/ready')).toEqual([503, 'close'])
    const answers = await Promise.all([
      connectionOf('GET', '/health/live'),
      connectionOf('POST', '/v1/pets', { body: BODY }),
      connectionOf('OPTIONS', '/v1/pets'),
      connectionOf('POST', '/v1/pets', { body: '{' }),
      connectionOf('GET', '/v1/nope'),
    ])
    expect(answers).toEqual([200, 201, 204, 400, 404].map((status) => [status, 'close']))
    expect(await exit).toBe(0)
  })

  it('closes a kept connection after its next response, or after a second without a request [stop]', async () => {
    const { port, signal, find, exit } = await start()
    const deaf = await openSocket(port)
    onTestFinished(() => void deaf.destroy())
    const [busy, idle] = [await openSocket(port), await openSocket(port)]
    for (const socket of [busy, idle]) {
      const text = readUntil(socket, /\}$/)
      socket.write(GET)
      expect(answersIn(await text)[0]?.headers.get('Connection')).toBe('keep-alive')
    }
    signal('SIGTERM')
    const before = performance.now()
    const idleText = readAll(idle)
    await find(/"msg":"stopping"/)
    busy.write(GET)
    expect(answersIn(await readAll(busy)).map(({ headers }) => headers.get('Connection'))).toEqual(['close'])
    expect(await idleText).toBe('')
    expect(performance.now() - before).toBeGreaterThan(800)
    expect(await exit).toBe(0)
  })

  it('closes remaining connections after SHUTDOWN_SECONDS, and exits with 1 [stop]', async () => {
    const { port, key, signal, exit } = await start({ SHUTDOWN_SECONDS: '0.3' })
    const { socket } = await halfCreate(port, key)
    socket.on('error', () => socket.destroy())
    signal('SIGTERM')
    expect(await exit).toBe(1)
  })

  it('exits at once at a second signal [stop]', async () => {
    const { port, key, signal, find, stdout, exit } = await start({ SHUTDOWN_SECONDS: '60' })
    const { socket } = await halfCreate(port, key)
    socket.on('error', () => socket.destroy())
    signal('SIGTERM')
    await find(/"msg":"stopping"/)
    // sooner, it would count as an echo of the first
    await pause(100)
    signal('SIGINT')
    expect(await exit).toBe(1)
    expect(stdout()).not.toContain('"msg":"stopped"')
  })

  it('exits with 1 if its port is in use, and names the setting', async () => {
    const port = await startListening(createServer())
    const { stderr, exit } = serve({ STORE: 'memory', PORT: String(port) })
    expect(await exit).toBe(1)
    expect(stderr()).toContain(`PORT: cannot listen on 127.0.0.1:${port}: listen EADDRINUSE`)
  })

  it('exits with 78 for a bad configuration', async () => {
    const { stdout, stderr, exit } = serve({ PORT: 'x' })
    expect(await exit).toBe(78)
    expect([stdout(), stderr()]).toEqual(['', 'PORT: got "x", wanted an integer from 0 to 65535\n'])
  })
})

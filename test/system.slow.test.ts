import { describe, expect, it } from 'vitest'
import { client } from './support/http/client.js'
import { halfCreate, openSocket, readAll, responsesIn } from './support/http/raw.js'
import { BODY, get } from './support/http/raw-requests.js'
import type { Environment } from './support/processes/cli-process.js'
import { runCommand } from './support/processes/run-command.js'
import { startInMemory } from './support/processes/service-process.js'
import { boundMs } from './support/runner/night.js'
import { temporaryPath } from './support/runner/temporary-folder.js'

const start = async (environment: Environment = {}) => {
  const service = await startInMemory(environment)
  return { ...service, call: client(service.url, service.key) }
}

describe('animal-store serve', () => {
  it('prints its address, its key and a warning that it keeps no data; then it serves and stops [listening memory]', async () => {
    const { stdout, stderr, lines, url, key, call, signal, exit } = await start()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/v1$/)
    expect(stderr()).toContain('STORE=memory keeps data only until this process ends')
    expect(stderr()).toContain(`API key (gone when this process ends): ${key}\n`)
    expect(stderr()).toContain(`curl -H "Authorization: Bearer ${key}" ${url}/pets\n`)
    expect((await call('POST', '/v1/pets', { body: BODY })).status).toBe(201)
    signal('SIGTERM')
    expect(await exit).toBe(0)
    expect(stdout()).not.toContain(key)
    const messages = ['starting', 'listening', 'key created', 'request', 'stopping', 'stopped']
    expect(lines()).toMatchObject(messages.map((msg) => ({ msg, level: 'info' })))
    expect(lines()[1]).toMatchObject({ url })
  })

  it('answers requests in flight before it exits, and accepts no new ones [stop]', async () => {
    const { port, key, signal, exit } = await start()
    const socket = await halfCreate(port, key)
    signal('SIGINT')
    // it listens until it exits, and closes what it accepts
    const textOfNew = async (): Promise<string> => {
      const other = await openSocket(port)
      let text = ''
      other.on('data', (chunk) => {
        text += String(chunk)
      })
      const closed = new Promise((resolve) => other.on('end', () => other.end()).on('close', resolve))
      other.write(get('/health/live', 'Connection: close\r\n'))
      await closed
      return text
    }
    await expect.poll(() => textOfNew().catch(() => '')).toBe('')
    socket.write(BODY)
    const [response] = responsesIn(await readAll(socket))
    expect(response).toMatchObject({ status: 201 })
    expect(response?.headers.get('Connection')).toBe('close')
    expect(await exit).toBe(0)
  })

  it('takes a Ctrl-C that is forwarded, too, for one [stop]', async () => {
    const { port, key, signal, find, exit } = await start()
    const socket = await halfCreate(port, key)
    const response = readAll(socket)
    signal('SIGINT')
    await find(/"msg":"stopping"/)
    signal('SIGINT')
    socket.write(BODY)
    expect(responsesIn(await response)).toMatchObject([{ status: 201 }])
    expect(await exit).toBe(0)
  })

  it('exits at once at a second signal [stop]', async () => {
    const { port, key, signal, find, stdout, exit } = await start({ SHUTDOWN_SECONDS: '60' })
    const socket = await halfCreate(port, key)
    socket.on('error', () => socket.destroy())
    signal('SIGTERM')
    await find(/"msg":"stopping"/)
    signal('SIGINT')
    expect(await exit).toBe(1)
    expect(stdout()).not.toContain('"msg":"stopped"')
    expect(stdout()).toMatch(/"level":"fatal".*"signal":"SIGINT","msg":"a second signal ends the service at once"/)
  })

  it('accepts a key that another process creates, and refuses within five seconds one that it revokes [key-life]', async () => {
    const DATA_DIR = await temporaryPath()
    const { url, key, call } = await start({ STORE: 'embedded', DATA_DIR })
    expect((await call('GET', '/v1/pets')).status).toBe(200)
    const { stdout } = await runCommand({ DATA_DIR }, 'keys', 'create')
    expect((await client(url, stdout.trim())('GET', '/v1/pets')).status).toBe(200)
    expect(await runCommand({ DATA_DIR }, 'keys', 'revoke', key.split('_')[2] ?? '')).toMatchObject({ code: 0 })
    const revokedAt = performance.now()
    await expect.poll(async () => (await call('GET', '/v1/pets')).status).toBe(401)
    expect(performance.now() - revokedAt).toBeLessThan(boundMs(6_000))
  })
})

import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { makeMetrics } from '../../src/adapters/prometheus/metrics.js'
import { listen } from '../../src/composition/listen.js'
import { silentLog } from '../../src/composition/service-log.js'
import { openSocket, readAll, readUntil } from '../support/http/raw.js'
import { get } from '../support/http/raw-requests.js'
import { runService } from '../support/http/running-service.js'
import { startListening } from '../support/network/start-listening.js'

const newServer = (): Server => {
  const server = createServer()
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return server
}

describe('listen', () => {
  it('takes a free port for 0, and returns it', async () => {
    const server = newServer().on('request', (_, response) => void response.end())
    const url = await listen(server, '127.0.0.1', 0, '')
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
    expect((await fetch(url)).status).toBe(200)
  })

  it.each(['', 'METRICS_'] as const)('names the setting of a used port: %sPORT', async (settings) => {
    const port = await startListening(createServer())
    await expect(listen(newServer(), '127.0.0.1', port, settings)).rejects.toThrow(
      `${settings}PORT: cannot listen on 127.0.0.1:${port}: listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
    )
  })

  it.each(['', 'METRICS_'] as const)('names the setting of an address of another machine: %sHOST', async (settings) => {
    // TEST-NET-1 (RFC 5737)
    await expect(listen(newServer(), '192.0.2.1', 0, settings)).rejects.toThrow(
      `${settings}HOST: cannot listen on 192.0.2.1:0: listen EADDRNOTAVAIL`,
    )
  })
})

describe('a service with MAX_CONNECTIONS', () => {
  it('closes more at once, reports it once, and accepts connections again when there is room', async () => {
    const messages: string[] = []
    const note = (_: object, message: string): void => void messages.push(message)
    const metrics = makeMetrics()
    const ports = {
      store: makeMemoryStore(),
      metrics,
      log: { ...silentLog, info: note, warn: note },
    }
    const { url } = await runService({ maxConnections: 3 }, ports)
    const port = Number(new URL(url).port)
    const ask = async (socket: Socket): Promise<string> => {
      const text = readUntil(socket, /\}$/)
      socket.write(get('/health/live'))
      return text
    }
    const open = await Promise.all([openSocket(port), openSocket(port), openSocket(port)])
    onTestFinished(() => {
      for (const socket of open) socket.destroy()
    })
    for (const socket of open) expect(await ask(socket)).toMatch(/^HTTP\/1\.1 200 OK/)
    for (let count = 0; count < 2; count += 1) {
      expect(await readAll(await openSocket(port))).toBe('')
    }
    expect(await ask(open[0])).toMatch(/^HTTP\/1\.1 200 OK/)
    expect((await metrics.render()).text).toMatch(/^http_connections_refused_total 2$/m)
    open[1].destroy()
    open[2].destroy()
    await expect
      .poll(async () => (await metrics.render()).text.match(/^http_connections (\d+)$/m)?.[1], { timeout: 5_000 })
      .toBe('1')
    const next = await openSocket(port)
    expect(await ask(next)).toMatch(/^HTTP\/1\.1 200 OK/)
    next.destroy()
    expect(messages.filter((message) => message.startsWith('connections'))).toEqual([
      'connections are refused: as many are open as are allowed',
      'connections are accepted again',
    ])
  })
})

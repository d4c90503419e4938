import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { loadMetrics } from '../../src/adapters/prometheus/metrics.js'
import { listen } from '../../src/composition/listen.js'
import { silentLog } from '../../src/composition/service-log.js'
import { range } from '../../src/testing/samples.js'
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
  it.each([
    { host: 'host', port: 'port' },
    { host: 'metricsHost', port: 'metricsPort' },
  ])('names the setting of a used or impossible port, or of an address of another machine: $port', async (names) => {
    const port = await startListening(createServer())
    await expect(listen(newServer(), '127.0.0.1', port, names)).rejects.toThrow(
      `${names.port}: cannot listen on 127.0.0.1:${port}: listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
    )
    await expect(listen(newServer(), '127.0.0.1', 70_000, names)).rejects.toThrow(
      `${names.port}: cannot listen on 127.0.0.1:70000: `,
    )
    // TEST-NET-1 (RFC 5737)
    await expect(listen(newServer(), '192.0.2.1', 0, names)).rejects.toThrow(
      `${names.host}: cannot listen on 192.0.2.1:0: listen EADDRNOTAVAIL`,
    )
    // as in the service's address, without the zone, which URLs cannot have
    await expect(listen(newServer(), 'fe80::1%none', 0, names)).rejects.toThrow('cannot listen on [fe80::1]:0: ')
    // Node would listen on every address
    await expect(listen(newServer(), '', 0, names)).rejects.toThrow(`${names.host}: an empty address`)
  })
})

describe('a service with MAX_CONNECTIONS', () => {
  it('closes more at once, reports it once, and accepts connections again when there is room, the second time too', async () => {
    const reports: unknown[] = []
    const note = (details: object, message: string): void => void reports.push({ message, ...details })
    const metrics = await loadMetrics()
    const log = { ...silentLog, info: note, warn: note }
    const { url } = await runService({ maxConnections: 3 }, { store: makeMemoryStore(), metrics, log })
    const port = Number(new URL(url).port)
    const ask = async (socket: Socket): Promise<string> => {
      const text = readUntil(socket, /\}$/)
      socket.write(get('/health/live'))
      return text
    }
    const openAll = async (count: number): Promise<readonly Socket[]> => {
      const sockets = await Promise.all(range(1, count).map(() => openSocket(port)))
      for (const socket of sockets) expect(await ask(socket)).toMatch(/^HTTP\/1\.1 200 OK/)
      return sockets
    }
    const kept = await openAll(1)
    for (const refused of ['2', '4']) {
      const open = await openAll(2)
      for (const _ of open) expect(await readAll(await openSocket(port))).toBe('')
      for (const socket of kept) expect(await ask(socket)).toMatch(/^HTTP\/1\.1 200 OK/)
      expect((await metrics.render()).text).toContain(`\nhttp_connections_refused_total ${refused}\n`)
      for (const socket of open) socket.destroy()
      await expect.poll(async () => (await metrics.render()).text).toContain('\nhttp_connections 1\n')
      for (const socket of await openAll(1)) socket.destroy()
      await expect.poll(async () => (await metrics.render()).text).toContain('\nhttp_connections 1\n')
      expect(reports.splice(0).filter((report) => JSON.stringify(report).includes('connections'))).toEqual([
        {
          message: 'connections are refused: as many are open as are allowed',
          setting: 'MAX_CONNECTIONS',
          connections: '3',
        },
        { message: 'connections are accepted again', refused },
      ])
    }
    for (const socket of kept) socket.destroy()
  })
})

import { createServer, type Server } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../../src/composition/listen.js'
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

// The load of the benchmarks counts whole answers only, and a wrong one fails its round.
import { createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openLoad } from '../../bench/method/load.js'
import { startListening } from '../support/network/start-listening.js'

const REQUEST = Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')

/** A server that handles each chunk that it receives; the requests of these tests are one chunk each. */
const listen = (received: (socket: Socket) => void): Promise<number> =>
  startListening(createServer((socket) => socket.on('error', () => {}).on('data', () => received(socket))))

const open = async (port: number, connections: number) => {
  const load = await openLoad(port, [REQUEST], 200, connections)
  onTestFinished(load.close)
  return load
}

describe('the load', () => {
  it('counts the answers of all connections, with a latency each', async () => {
    let answered = 0
    const port = await listen((socket) => {
      answered += 1
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
    const { requests, latenciesMs } = await (await open(port, 3)).run(20)
    expect(requests).toBe(answered)
    expect(requests).toBeGreaterThanOrEqual(3)
    expect(latenciesMs).toHaveLength(answered)
  })

  it('waits for the rest of an answer that comes in pieces', async () => {
    const port = await listen((socket) => {
      const rest = ['200 OK\r\ncontent-len', 'gth: 4\r\n', '\r\n', 'a', 'bcd']
      const next = (): void => {
        const piece = rest.shift()
        if (piece !== undefined) socket.write(piece, () => setImmediate(next))
      }
      socket.setNoDelay(true).write('HTTP/1.1 ', () => setImmediate(next))
    })
    const { requests } = await (await open(port, 1)).run(0)
    expect(requests).toBe(1)
  })

  it('accepts an answer without a body', async () => {
    const port = await listen((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    expect((await (await open(port, 2)).run(0)).requests).toBe(2)
  })

  it('fails at another status', async () => {
    const port = await listen((socket) => socket.write('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n'))
    await expect((await open(port, 1)).run(20)).rejects.toThrow('wanted 200, got HTTP/1.1 503')
  })

  it('fails when the server closes a connection', async () => {
    const port = await listen((socket) => socket.end())
    await expect((await open(port, 1)).run(20)).rejects.toThrow('closed a connection')
  })
})

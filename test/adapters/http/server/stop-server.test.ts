import { once } from 'node:events'
import { stat } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { stopServer } from '../../../../src/adapters/http/server/make-server.js'
import { startWithHeldLists } from '../../../support/http/held-lists.js'
import { startHttp } from '../../../support/http/http-service.js'
import { openSocket, readAll, readUntil, responsesIn } from '../../../support/http/raw.js'
import { authorization, get, postHead } from '../../../support/http/raw-requests.js'
import { boundMs } from '../../../support/runner/night.js'

const startHeld = async () => {
  const service = await startWithHeldLists()
  return { ...service, list: get('/v1/pets', authorization(service.key)) }
}

const LIVE = get('/health/live')

describe('stopServer', () => {
  it('answers the request under way, and processes no pipelined one behind it', async () => {
    const { http, port, list, entered, release, requestLines } = await startHeld()
    const socket = await openSocket(port)
    const text = readAll(socket)
    socket.write(list + list + list)
    await entered(1)
    const stopped = stopServer(http, { drainMs: 0, shutdownMs: 5_000 })
    release()
    expect(await stopped).toBe(true)
    const responses = responsesIn(await text).map(({ status, headers }) => [status, headers.get('Connection')])
    expect(responses).toEqual([[200, 'close']])
    expect(requestLines()).toHaveLength(1)
  })

  it('answers a connection that arrives while the service is busy at the end of the drain', async () => {
    const { http, port } = await startHttp()
    const isConnected = new Int32Array(new SharedArrayBuffer(4))
    const stranger = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads')
      // after the end of the drain
      setTimeout(() => {
        const socket = require('node:net').connect(workerData.port, '127.0.0.1', () => {
          socket.write(workerData.request)
          Atomics.store(workerData.isConnected, 0, 1)
          Atomics.notify(workerData.isConnected, 0)
        })
        socket.on('data', (chunk) => parentPort.postMessage(String(chunk)))
        socket.on('error', (error) => parentPort.postMessage(error.code))
      }, 50)`,
      { eval: true, workerData: { port, request: LIVE, isConnected } },
    )
    const received = once(stranger, 'message') as Promise<[string]>
    const begun = new Promise<{ readonly stopped: Promise<boolean> }>((resolve) => {
      // in the callback of an I/O event, after which the timer of the drain is due
      stat('.', () => {
        resolve({ stopped: stopServer(http, { drainMs: 20, shutdownMs: 5_000 }) })
        Atomics.wait(isConnected, 0, 0, 5_000)
      })
    })
    expect(await received).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 OK\r\n/)])
    expect(await (await begun).stopped).toBe(true)
  })

  it('does not count a connection whose refused body still arrives as a failure', async () => {
    const { http, port, key } = await startHttp({ settings: { maxBodyBytes: 64 } })
    const socket = await openSocket(port)
    const text = readAll(socket)
    socket.write(postHead(key, 100))
    expect(responsesIn(await text)).toMatchObject([{ status: 413 }])
    socket.write('a'.repeat(50))
    expect(await stopServer(http, { drainMs: 0, shutdownMs: 100 })).toBe(true)
  })

  it('closes kept connections after a second without a request, and does not count them as failures [stop]', async () => {
    const { http, port } = await startHttp()
    const accepted = once(http.server, 'connection')
    const unused = await openSocket(port)
    await accepted
    const used = await openSocket(port)
    used.write(LIVE)
    await readUntil(used, /\}$/)
    for (const socket of [unused, used]) socket.once('end', () => socket.end()).resume()
    const begin = performance.now()
    expect(await stopServer(http, { drainMs: 0, shutdownMs: 9_000 })).toBe(true)
    // a request may be on its way for a second
    expect(performance.now() - begin).toBeGreaterThan(800)
    expect(performance.now() - begin).toBeLessThan(boundMs(3_500))
  })

  it('closes all remaining connections at its deadline [stop]', async () => {
    const { http, port, list, entered } = await startHeld()
    const socket = await openSocket(port)
    socket.write(list)
    await entered(1)
    expect(await stopServer(http, { drainMs: 0, shutdownMs: 20 })).toBe(false)
  })
})

import { once } from 'node:events'
import type { Socket } from 'node:net'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { stopServer } from '../../../../src/adapters/http/server/stop-server.js'
import { startWithHeldLists } from '../../../support/http/held-lists.js'
import { startHttp } from '../../../support/http/http-service.js'
import { answersIn, openSocket, readAll, readUntil } from '../../../support/http/raw.js'

const startHeld = async () => {
  const service = await startWithHeldLists()
  return { ...service, list: `GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.key}\r\n\r\n` }
}

const LIVE = 'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n'

describe('stopServer', () => {
  it('answers all pipelined requests of a connection, and closes it after the last response', async () => {
    const { http, port, list, entered, release } = await startHeld()
    const socket = await openSocket(port)
    const text = readAll(socket)
    socket.write(list + list + list)
    await entered(3)
    const stopped = stopServer(http, { drainMs: 0, shutdownMs: 5_000 })
    release()
    expect(await stopped).toBe(true)
    const answers = answersIn(await text).map(({ status, headers }) => [status, headers.get('Connection')])
    expect(answers).toEqual([
      [200, 'keep-alive'],
      [200, 'keep-alive'],
      [200, 'close'],
    ])
  })

  it('processes no request that arrives after the last response was announced', async () => {
    const { http, port, list, entered, release, requestLines } = await startHeld()
    const socket = await openSocket(port)
    const text = readAll(socket)
    socket.write(list)
    await entered(1)
    const stopped = stopServer(http, { drainMs: 0, shutdownMs: 5_000 })
    socket.write(list)
    release()
    expect(answersIn(await text)).toHaveLength(1)
    expect(await stopped).toBe(true)
    expect(requestLines()).toHaveLength(1)
  })

  it('treats a connection as idle once a refused body has arrived', async () => {
    const { http, port, key } = await startHttp({ settings: { maxBodyBytes: 64 } })
    const accepted = once(http.server, 'connection') as Promise<[Socket]>
    const socket = await openSocket(port)
    const [serverSide] = await accepted
    const lines = `Host: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
    const answer = readUntil(socket, /\}$/)
    socket.write(`POST /v1/pets HTTP/1.1\r\n${lines}Content-Length: 100\r\n\r\n`)
    expect(answersIn(await answer)).toMatchObject([{ status: 413 }])
    const { bytesRead } = serverSide
    socket.write('a'.repeat(100))
    await expect.poll(() => serverSide.bytesRead).toBe(bytesRead + 100)
    const text = readAll(socket)
    expect(await stopServer(http, { drainMs: 0, shutdownMs: 10_000 })).toBe(true)
    expect(await text).toBe('')
  })

  it('sends Connection: close from its beginning, on kept and new connections', async () => {
    const { http, port, anonymous } = await startHttp()
    const kept = await openSocket(port)
    kept.write(LIVE)
    expect(answersIn(await readUntil(kept, /\}$/))[0]?.headers.get('Connection')).toBe('keep-alive')
    const stopped = stopServer(http, { drainMs: 500, shutdownMs: 5_000 })
    kept.write(LIVE)
    expect(answersIn(await readAll(kept))[0]?.headers.get('Connection')).toBe('close')
    expect((await anonymous('GET', '/health/live')).headers.get('Connection')).toBe('close')
    expect(await stopped).toBe(true)
  })

  it('does not wait for an idle kept connection, and does not count it as a failure', async () => {
    const { http, port } = await startHttp()
    const accepted = once(http.server, 'connection')
    const idle = await openSocket(port)
    await accepted
    expect(await stopServer(http, { drainMs: 0, shutdownMs: 100 })).toBe(true)
    idle.destroy()
  })

  it('closes all remaining connections at its deadline', async () => {
    const { http, port, list, entered } = await startHeld()
    const socket = await openSocket(port)
    socket.write(list)
    await entered(1)
    expect(await stopServer(http, { drainMs: 0, shutdownMs: 20 })).toBe(false)
  })
})

describe('the readiness probe', () => {
  it('is 503 during a stop, without an error in the log', async () => {
    const { anonymous, logTexts } = await startHttp({
      settings: { isStopping: () => true },
      replace: () => ({ ping: async () => E.right(undefined) }),
    })
    const { status, headers, json } = await anonymous('GET', '/health/ready')
    expect([status, json]).toMatchObject([503, { code: 'unavailable' }])
    expect(headers.get('Retry-After')).toMatch(/^[123]$/)
    expect(logTexts.filter((line) => line.includes('"level":"error"'))).toStrictEqual([])
  })
})

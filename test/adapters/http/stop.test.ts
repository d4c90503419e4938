import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { stopServer } from '../../../src/adapters/http/server/stop-server.js'
import { startHttp } from '../../support/http-service.js'
import { answersIn, openSocket, readAll } from '../../support/raw.js'

const startSlow = async () => {
  const service = await startHttp({
    replace: ({ pets }) => ({
      pets: {
        ...pets,
        findPage: (query) => async () => {
          await pause(100)
          return pets.findPage(query)()
        },
      },
    }),
  })
  const list = (lines = ''): string =>
    `GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.key}\r\n${lines}\r\n`
  return { ...service, list }
}

describe('stopServer', () => {
  it('answers all that is pipelined on a connection, and ends it with the last answer', async () => {
    const { http, port, list } = await startSlow()
    const socket = await openSocket(port)
    const text = readAll(socket)
    socket.write(list() + list() + list())
    await pause(30)
    expect(await stopServer(http, { drain: 0, shutdown: 5_000 })).toBe(true)
    const answers = answersIn(await text).map(({ status, headers }) => [status, headers.get('Connection')])
    expect(answers).toEqual([
      [200, 'keep-alive'],
      [200, 'keep-alive'],
      [200, 'close'],
    ])
  })

  it('processes nothing that comes after that last answer was promised', async () => {
    const { http, port, list, requestLines } = await startSlow()
    const socket = await openSocket(port)
    const text = readAll(socket)
    socket.write(list())
    await pause(30)
    const stopped = stopServer(http, { drain: 0, shutdown: 5_000 })
    await pause(20)
    socket.write(list())
    expect(answersIn(await text)).toHaveLength(1)
    expect(await stopped).toBe(true)
    expect(requestLines()).toHaveLength(1)
  })

  it('cuts what is left at its deadline', async () => {
    const { http, port, list } = await startSlow()
    const socket = await openSocket(port)
    socket.on('error', () => socket.destroy())
    socket.write(list())
    await pause(20)
    expect(await stopServer(http, { drain: 0, shutdown: 20 })).toBe(false)
  })

  it('is done at once where nobody is connected', async () => {
    const { http } = await startSlow()
    const start = performance.now()
    expect(await stopServer(http, { drain: 0, shutdown: 5_000 })).toBe(true)
    expect(performance.now() - start).toBeLessThan(1_000)
  })
})

// The bound on requests in flight, and bodies that have not arrived yet.
import { describe, expect, it } from 'vitest'
import { startWithHeldLists } from '../../../support/http/held-lists.js'
import { startHttp } from '../../../support/http/http-service.js'
import { answersIn, openSocket, readUntil } from '../../../support/http/raw.js'
import { framedPost, postHead } from '../../../support/http/raw-requests.js'

describe('a service with as many requests in flight as it accepts', () => {
  it('requests no body', async () => {
    const { port, key, call, entered, release } = await startWithHeldLists({ maxInFlight: 1 })
    const held = call('GET', '/v1/pets')
    await entered(1)
    const socket = await openSocket(port)
    socket.write(postHead(key, 10, 'Expect: 100-continue\r\n'))
    expect(answersIn(await readUntil(socket, /\}$/))).toMatchObject([{ status: 503 }])
    socket.destroy()
    release()
    await held
  })
})

describe('a place in flight', () => {
  type Leave = (socket: Awaited<ReturnType<typeof openSocket>>) => unknown

  it.each<[string, Leave]>([
    ['is late', () => {}],
    ['is cut by a reset', (socket) => socket.resetAndDestroy()],
    ['is cut by an end', (socket) => socket.end()],
    ['has a broken chunk', (socket) => socket.write('zz\r\n')],
  ])('is released if the body %s', async (_, leave) => {
    const { port, key, call } = await startHttp({ settings: { maxInFlight: 1 }, requestTimeoutMs: 500 })
    const socket = await openSocket(port)
    socket.write(framedPost(key, 'Transfer-Encoding: chunked\r\n'))
    await expect.poll(async () => (await call('GET', '/v1/pets')).status).toBe(503)
    leave(socket)
    await expect.poll(async () => (await call('GET', '/v1/pets')).status, { timeout: 10_000 }).toBe(200)
    socket.destroy()
  })
})

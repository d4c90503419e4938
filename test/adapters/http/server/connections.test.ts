import { describe, expect, it, onTestFinished } from 'vitest'
import { startHttp } from '../../../support/http/http-service.js'
import { accepted, readAll, responsesIn } from '../../../support/http/raw.js'
import { get } from '../../../support/http/raw-requests.js'

describe('a client that does not read', () => {
  it('is disconnected once its response has stayed unread for too long', async () => {
    const service = await startHttp({ unreadTimeoutMs: 500, requestTimeoutMs: 500 })
    const { socket, serverSide, closed } = await accepted(service.http, service.port)
    socket.pause()
    socket.write(get('/docs/swagger-ui-bundle.js').repeat(8))
    await expect.poll(() => serverSide.writableLength).toBeGreaterThan(0)
    // it may go on sending
    const sending = setInterval(() => socket.write('G'), 50)
    onTestFinished(() => clearInterval(sending))
    await closed
    expect((await service.anonymous('GET', '/health/live')).status).toBe(200)
  })

  it('gets all of every response if it reads later', async () => {
    const service = await startHttp()
    const { socket, serverSide } = await accepted(service.http, service.port)
    socket.pause()
    const path = '/docs/swagger-ui-bundle.js'
    // more than the system takes at once
    socket.write(get(path).repeat(7) + get(path, 'Connection: close\r\n'))
    await expect.poll(() => serverSide.writableLength).toBeGreaterThan(0)
    const text = readAll(socket)
    socket.resume()
    const whole = Buffer.from((await service.anonymous('GET', path)).text).toString('latin1')
    const equal = responsesIn(await text).filter(({ body }) => body === whole)
    expect(equal).toHaveLength(8)
  })
})

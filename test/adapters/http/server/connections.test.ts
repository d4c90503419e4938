import { describe, expect, it, onTestFinished } from 'vitest'
import { startHttp } from '../../../support/http/http-service.js'
import { accepted, openSocket, readAll, responsesIn } from '../../../support/http/raw.js'
import { authorization, get } from '../../../support/http/raw-requests.js'

const LAST = get('/health/live', 'Connection: close\r\n')

describe('a client that pipelines', () => {
  it('has one request in flight, and gets every response in order', async () => {
    let inFlight = 0
    let most = 0
    const service = await startHttp({
      replace: ({ pets }) => ({
        pets: {
          ...pets,
          findById: (id) => async () => {
            inFlight += 1
            most = Math.max(most, inFlight)
            await new Promise((resolve) => setImmediate(resolve))
            inFlight -= 1
            return pets.findById(id)()
          },
        },
      }),
    })
    const socket = await openSocket(service.port)
    const text = readAll(socket)
    const count = 7
    socket.write(
      Array.from({ length: count }, (_, at) => get(`/v1/pets/${at + 1}`, authorization(service.key))).join('') + LAST,
    )
    const statuses = responsesIn(await text).map(({ status }) => status)
    expect(statuses).toEqual([...Array.from({ length: count }, () => 404), 200])
    expect(most).toBe(1)
  })
})

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

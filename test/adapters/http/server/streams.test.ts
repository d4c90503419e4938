import { getEventListeners, once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { NewPet } from '../../../../src/domain/pets/pet.js'
import { addAll, numbered, range, succeed } from '../../../../src/testing/samples.js'
import { startHttp, type TestService } from '../../../support/http/http-service.js'
import { listen } from '../../../support/http/listen.js'
import { accepted, readAll, readUntil } from '../../../support/http/raw.js'
import { authorization, get } from '../../../support/http/raw-requests.js'
import { eventually } from '../../../support/runner/eventually.js'

/** More than the buffers of two sockets hold. */
const EVENTS = 10_000
const LARGE: NewPet = { name: '🐈'.repeat(256), categoryId: 7n }
const PAGE_BYTES = 180_000

/** A client that asks for all events but reads none, and the server's side of its connection. */
const stalled = async (service: TestService): Promise<readonly [client: Socket, server: Socket]> => {
  await addAll(
    service.world.pets,
    range(1, EVENTS).map((id) => numbered(id, LARGE)),
  )
  const { logId } = await succeed(service.world.log.head)
  const { socket: client, serverSide: server } = await accepted(service.http, service.port)
  client.pause()
  client.write(get(`/v1/events?after=${logId}.0`, `Accept: text/event-stream\r\n${authorization(service.key)}`))
  await eventually(() => expect(server.writableLength).toBeGreaterThan(0))
  return [client, server]
}

describe('a listener that reads slowly', () => {
  it('costs the memory of a page, and gets every event in order [feed-listeners]', async () => {
    const service = await startHttp()
    const [client, server] = await stalled(service)
    expect(server.writableLength).toBeLessThan(PAGE_BYTES)
    let text = ''
    let most = 0
    client.on('data', (chunk) => {
      text += String(chunk)
      most = Math.max(most, server.writableLength)
    })
    client.resume()
    await expect.poll(() => text.slice(-2_000).includes(`"subject":"${EVENTS}"`)).toBe(true)
    const numbers = [...text.matchAll(/^id: [\w-]+\.(\d+)\n/gm)].map(([, number]) => Number(number))
    expect(numbers).toStrictEqual(range(1, EVENTS))
    expect(most).toBeLessThan(PAGE_BYTES)
    client.destroy()
  })

  it('gives up its place when it ends its sending side, whatever it has not read [feed-listeners]', async () => {
    const service = await startHttp({ unreadTimeoutMs: 600_000, settings: { maxStreams: 1 } })
    const [client, server] = await stalled(service)
    const closed = once(server, 'close')
    client.end()
    await closed
    await eventually(async () => expect((await listen(service.url, service.key)).status).toBe(200))
  })

  it('is cut if it reads nothing, and its place is free [feed-listeners]', async () => {
    const service = await startHttp({ unreadTimeoutMs: 500, settings: { maxStreams: 1 } })
    const [, server] = await stalled(service)
    expect((await listen(service.url, service.key)).status).toBe(503)
    await once(server, 'close')
    await eventually(async () => expect((await listen(service.url, service.key)).status).toBe(200))
    expect(service.requestLines().filter(({ seconds }) => seconds !== undefined)).toHaveLength(1)
  })
})

describe('an open stream', () => {
  it('that nobody reads is cut when the service stops [stop]', async () => {
    const stopping = new AbortController()
    const [, server] = await stalled(
      await startHttp({ unreadTimeoutMs: 600_000, settings: { stopping: stopping.signal } }),
    )
    const closed = once(server, 'close')
    stopping.abort()
    await closed
    expect(server.destroyed).toBe(true)
  })

  it('that fails is cut, not finished', async () => {
    let isBroken = false
    const defect = () => Promise.reject(new Error('a defect'))
    const { http, key, port, world } = await startHttp({
      replace: ({ apiKeys }) => ({ apiKeys: { ...apiKeys, find: (id) => (isBroken ? defect : apiKeys.find(id)) } }),
    })
    const { socket } = await accepted(http, port)
    const [text, started] = [readAll(socket), readUntil(socket, /retry: 1000\n/)]
    socket.write(get('/v1/events', `Accept: text/event-stream\r\n${authorization(key)}`))
    await started
    isBroken = true
    // a valid key is cached this long
    world.clock.advance(5_000)
    // without the last chunk, the client knows that the response is incomplete
    expect(await text).toMatch(/retry: 1000\n\n\r\n$/)
  })

  it('is no leak beside ten others, as Node would warn', async () => {
    const warnings: Error[] = []
    const warn = (warning: Error): void => void warnings.push(warning)
    process.on('warning', warn)
    onTestFinished(() => void process.off('warning', warn))
    const { signal } = new AbortController()
    const service = await startHttp({ settings: { stopping: signal } })
    for (const _ of range(1, 11)) await (await listen(service.url, service.key)).next()
    expect(getEventListeners(signal, 'abort').length).toBeGreaterThan(10)
    expect(warnings).toEqual([])
  })

  it('is no request in flight [feed-listeners]', async () => {
    const service = await startHttp({ settings: { maxInFlight: 1 } })
    for (const _ of range(1, 3)) await (await listen(service.url, service.key)).next()
    expect((await service.call('GET', '/v1/pets')).status).toBe(200)
  })
})

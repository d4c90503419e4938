import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeServer } from '../../../src/adapters/http/server/make-server.js'
import { stopServer } from '../../../src/adapters/http/server/stop-server.js'
import { makeFetchHandler } from '../../../src/composition/make-fetch-handler.js'
import { DEFAULT_SETTINGS, makeListener } from '../../../src/composition/make-listener.js'
import type { StreamChange } from '../../../src/ports/observer.js'
import { range } from '../../../src/testing/samples.js'
import { makeWorld } from '../../support/domain/domain-world.js'
import { issueApiKey } from '../../support/domain/issue-api-key.js'

const serverWith = (changes: object) => {
  const settings = { ...DEFAULT_SETTINGS, requestTimeoutMs: 10_000, ...changes }
  const http = makeServer(makeListener(makeWorld(), settings), settings)
  onTestFinished(() => void http.server.close())
  return http
}

describe('a number of the settings', () => {
  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, 2 ** 31])('is refused with its name: %s', async (value) => {
    const refusal = (name: string) => `${name}: wanted a number from 0 to 2147483647, got ${value}`
    for (const name of ['maxBodyBytes', 'maxInFlight', 'maxStreams', 'requestTimeoutMs', 'maxConnections'])
      expect(() => serverWith({ [name]: value })).toThrow(refusal(name))
    expect(() => makeFetchHandler(makeWorld(), { ...DEFAULT_SETTINGS, maxStreams: value })).toThrow(
      refusal('maxStreams'),
    )
    await expect(stopServer(serverWith({}), { drainMs: 0, shutdownMs: value })).rejects.toThrow(refusal('shutdownMs'))
  })
})

describe('a text of the settings', () => {
  it.each([
    [
      { publicUrl: 'https://pets.example' },
      '/publicUrl: must be an absolute http or https URL in ASCII that ends with /v1',
    ],
    [{ corsOrigins: ['*'] }, '/corsOrigins/0: must be an origin like https://shop.example'],
    [{ eventsTypePrefix: '' }, '/eventsTypePrefix: must be words of letters, digits, - and _'],
  ])('is refused with its name: %j', (changes, refusal) => {
    expect(() => serverWith(changes)).toThrow(refusal)
    expect(() => makeFetchHandler(makeWorld(), { ...DEFAULT_SETTINGS, ...changes })).toThrow(refusal)
  })
})

describe('an observer that throws, also when it gets a failure', () => {
  const observer = {
    responded: () => expect.fail('the log is full'),
    failed: () => expect.fail('and still is'),
  }
  const away = () => Promise.reject(new Error('a defect'))

  it('neither costs a client its response, nor ends the process', async () => {
    const printed = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => printed.mockRestore())
    const world = makeWorld()
    const { text } = await issueApiKey(world)
    const ports = { ...world, pets: { ...world.pets, findPage: () => away } }
    const settings = { ...DEFAULT_SETTINGS, requestTimeoutMs: 10_000, observer }
    const headers = { Authorization: `Bearer ${text}`, Connection: 'close' }
    const { server } = makeServer(makeListener(ports, settings), settings)
    onTestFinished(() => void server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/pets`
    const handle = makeFetchHandler(ports, settings)
    for (const response of [await fetch(url, { headers }), await handle(new Request(url, { headers }))]) {
      expect([response.status, await response.json()]).toMatchObject([500, { code: 'internal_error', status: 500 }])
    }
    expect(printed.mock.calls.flat()).toHaveLength(4)
  })
})

it('an observer that throws for a stream costs no place of one, nor does one of a class lose its count', async () => {
  class Counting {
    open = 0
    readonly causes: unknown[] = []
    responded(): void {}
    failed(cause: unknown): void {
      this.causes.push(cause)
    }
    stream({ open }: StreamChange): void {
      this.open += open
      throw new Error('the disk is full')
    }
  }
  const observer = new Counting()
  const world = makeWorld()
  const { text } = await issueApiKey(world)
  const handle = makeFetchHandler(world, { ...DEFAULT_SETTINGS, observer, maxStreams: 1 })
  const headers = { Authorization: `Bearer ${text}`, Accept: 'text/event-stream' }
  for (const _ of range(1, 2)) {
    const { status, body } = await handle(new Request('https://pets.example/v1/events', { headers }))
    expect([status, observer.open]).toEqual([200, 1])
    await body?.cancel()
    expect(observer.open).toBe(0)
  }
  expect(observer.causes).toHaveLength(4)
})

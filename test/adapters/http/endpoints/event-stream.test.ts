import { describe, expect, it, vi } from 'vitest'
import { rotateApiKey } from '../../../../src/domain/api-keys/end-api-key.js'
import type { EventLog } from '../../../../src/ports/event-log.js'
import { addAll, numbered, range, succeed } from '../../../../src/testing/samples.js'
import { create, startHttp } from '../../../support/http/http-service.js'
import { listen } from '../../../support/http/listen.js'
import { eventually } from '../../../support/runner/eventually.js'
import { useFakeTimers } from '../../../support/runner/fake-timers.js'
import { boundMs } from '../../../support/runner/night.js'

describe('GET /v1/events as a stream', () => {
  it.each(['', '?after=latest'])(
    'begins with the next new event, and says where it is: %j [feed-stream]',
    async (query) => {
      const service = await startHttp()
      await create(service)
      const { logId } = await succeed(service.world.log.head)
      const listener = await listen(service.url, service.key, { query })
      expect(listener.status).toBe(200)
      expect(Object.fromEntries(listener.headers)).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
        'cache-control': 'no-store, no-transform',
      })
      expect(await listener.next()).toStrictEqual({ id: `${logId}.1` })
      expect(await listener.next()).toStrictEqual({ retry: '1000' })
      await create(service, 'Tom')
      expect(await listener.next()).toMatchObject({
        id: `${logId}.2`,
        event: 'org.animal-store.pet.created.v1',
        data: { specversion: '1.0', subject: '2', data: { id: 2, name: 'Tom', categoryId: 7 } },
      })
    },
  )

  it('shows an event of this process soon, and those of others by polling [feed-stream]', async () => {
    const service = await startHttp()
    const listener = await listen(service.url, service.key)
    await listener.next()
    const begin = performance.now()
    await create(service)
    await listener.nextEvent()
    // far below the polling interval
    expect(performance.now() - begin).toBeLessThan(boundMs(400))
    const { pets, ids } = service.world
    const id = await succeed(ids.next)
    const event = { _tag: 'PetCreated', eventId: 'other', time: 0, pet: { id, name: 'other', categoryId: 1n } } as const
    await succeed(pets.add({ event, idempotencyKey: { _tag: 'None' } }))
    expect(await listener.nextEvent()).toMatchObject({ data: { id: 'other' } })
  })

  it.each([
    ['after', (after: string) => ({ query: `?after=${after}` })],
    ['Last-Event-ID', (id: string) => ({ headers: { 'Last-Event-ID': id } })],
    ['Last-Event-ID before after', (id: string) => ({ query: '?after=nonsense', headers: { 'Last-Event-ID': id } })],
  ])('resumes exactly at %s, in pages of any number [feed-positions]', async (_, at) => {
    const service = await startHttp()
    await addAll(
      service.world.pets,
      range(1, 130).map((id) => numbered(id)),
    )
    const { logId } = await succeed(service.world.log.head)
    const listener = await listen(service.url, service.key, at(`${logId}.3`))
    expect(await listener.next()).toStrictEqual({ retry: '1000' })
    for (const id of range(4, 130)) expect(await listener.next()).toMatchObject({ id: `${logId}.${id}` })
  })

  it('refuses a position before it begins [feed-positions]', async () => {
    const service = await startHttp()
    const listener = await listen(service.url, service.key, { headers: { 'Last-Event-ID': 'nonsense' } })
    expect(listener.status).toBe(400)
    expect(JSON.parse(await listener.text())).toMatchObject({
      code: 'invalid_parameter',
      message: 'Last-Event-ID must be a position that this feed gave out',
    })
  })

  it('serves as many streams as configured, and others when they have left [feed-listeners]', async () => {
    const service = await startHttp({ settings: { maxStreams: 2 } })
    const { text: other } = await service.issue(['events:read'])
    const [first] = [await listen(service.url, service.key), await listen(service.url, other)]
    const third = await listen(service.url, (await service.issue(['events:read'])).text)
    expect([third.status, third.headers.get('Retry-After')]).toStrictEqual([503, expect.stringMatching(/^[123]$/)])
    await first.next()
    first.leave()
    await expect.poll(() => service.requestLines().filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await listen(service.url, service.key)).status).toBe(200)
    expect((await listen(service.url, (await service.issue(['events:read'])).text)).status).toBe(503)
  })

  it('gives a key and its successors half of the places, rounded up [feed-listeners]', async () => {
    const service = await startHttp({ settings: { maxStreams: 5 } })
    const { apiKeys, clock, crypto } = service.world
    const rotated = await succeed(rotateApiKey({ apiKeys, clock, crypto })({ id: service.keyId, overlapMs: 60_000 }))
    const [first, ...more] = await Promise.all(
      [service.key, rotated.text, service.key].map((key) => listen(service.url, key)),
    )
    expect([first, ...more].map((listener) => listener?.status)).toStrictEqual([200, 200, 200])
    for (const key of [service.key, rotated.text]) expect((await listen(service.url, key)).status).toBe(503)
    expect((await listen(service.url, (await service.issue(['events:read'])).text)).status).toBe(200)
    await first?.next()
    first?.leave()
    await eventually(async () => expect((await listen(service.url, rotated.text)).status).toBe(200))
  })

  it('polls for many listeners once, and for none not at all [feed-listeners]', async () => {
    useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    const read = vi.fn<EventLog['read']>()
    const service = await startHttp({
      replace: ({ log }) => ({ log: { ...log, read: read.mockImplementation(log.read) } }),
    })
    const listeners = await Promise.all(range(1, 30).map(() => listen(service.url, service.key)))
    await Promise.all(listeners.map(({ next }) => next()))
    await create(service)
    await Promise.all(listeners.map(({ nextEvent }) => nextEvent()))
    const readsIn = async (milliseconds: number): Promise<number> => {
      const before = read.mock.calls.length
      await vi.advanceTimersByTimeAsync(milliseconds)
      return read.mock.calls.length - before
    }
    const waiting = Promise.allSettled(listeners.map(({ nextEvent }) => nextEvent()))
    // some listeners may read once more before they wait
    await readsIn(1_000)
    expect(await readsIn(5_000)).toBe(10)
    for (const { leave } of listeners) leave()
    await waiting
    await expect.poll(() => service.requestLines().filter(({ route }) => route === '/v1/events')).toHaveLength(30)
    await readsIn(1_000)
    expect(await readsIn(5_000)).toBe(0)
  })
})

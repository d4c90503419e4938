import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { range } from '../../../../src/testing/contracts/pet-samples.js'
import { succeed } from '../../../../src/testing/outcome.js'
import { outage } from '../../../support/domain/failing-ports.js'
import { create, createMany } from '../../../support/http/create-pets.js'
import { startHttp } from '../../../support/http/http-service.js'
import { listen } from '../../../support/http/listen.js'
import { eventually } from '../../../support/runner/eventually.js'

describe('GET /v1/events as a stream', () => {
  it('begins with the next new event, and says where it is', async () => {
    const service = await startHttp()
    await create(service)
    const { logId } = await succeed(service.world.log.head)
    const listener = await listen(service.url, service.key)
    expect([
      listener.status,
      listener.headers.get('Content-Type'),
      listener.headers.get('X-Accel-Buffering'),
    ]).toStrictEqual([200, 'text/event-stream', 'no'])
    expect(listener.headers.get('Cache-Control')).toBe('no-store')
    expect(await listener.next()).toStrictEqual({ id: `${logId}.1` })
    expect(await listener.next()).toStrictEqual({ retry: '1000' })
    await create(service, 'Tom')
    expect(await listener.next()).toMatchObject({
      id: `${logId}.2`,
      event: 'org.animal-store.pet.created.v1',
      data: { specversion: '1.0', subject: '2', data: { id: 2, name: 'Tom', categoryId: 7 } },
    })
  })

  it('shows an event of this process soon, and those of others by polling', async () => {
    const service = await startHttp()
    const listener = await listen(service.url, service.key)
    await listener.next()
    const begin = performance.now()
    await create(service)
    await listener.nextEvent()
    // far below the interval of polls
    expect(performance.now() - begin).toBeLessThan(400)
    const { pets, ids } = service.world
    const id = await succeed(ids.next)
    const event = { _tag: 'PetCreated', eventId: 'other', time: 0, pet: { id, name: 'other', categoryId: 1n } } as const
    await succeed(pets.add({ event, idempotencyKey: { _tag: 'None' } }))
    expect(await listener.nextEvent()).toMatchObject({ data: { id: 'other' } })
  })

  it.each<
    readonly [string, (position: string) => { readonly query?: string; readonly headers?: Record<string, string> }]
  >([
    ['after', (position) => ({ query: `?after=${position}` })],
    ['Last-Event-ID', (position) => ({ headers: { 'Last-Event-ID': position } })],
    [
      'Last-Event-ID before after',
      (position) => ({ query: '?after=nonsense', headers: { 'Last-Event-ID': position } }),
    ],
  ])('resumes exactly at %s, in pages of any number', async (_, at) => {
    const service = await startHttp()
    await createMany(service, 130)
    const { logId } = await succeed(service.world.log.head)
    const listener = await listen(service.url, service.key, at(`${logId}.3`))
    expect(await listener.next()).toStrictEqual({ retry: '1000' })
    for (const id of range(4, 130)) expect(await listener.next()).toMatchObject({ id: `${logId}.${id}` })
  })

  it('refuses a position before it begins', async () => {
    const service = await startHttp()
    const listener = await listen(service.url, service.key, { headers: { 'Last-Event-ID': 'nonsense' } })
    expect(listener.status).toBe(400)
    expect(JSON.parse(await listener.text())).toMatchObject({
      code: 'invalid_parameter',
      message: 'Last-Event-ID must be a position that this feed gave out',
    })
  })

  it('serves as many streams as configured, and others when they have left', async () => {
    const service = await startHttp({ settings: { maxStreams: 2 } })
    const [first] = [await listen(service.url, service.key), await listen(service.url, service.key)]
    const third = await listen(service.url, service.key)
    expect([third.status, third.headers.get('Retry-After')]).toStrictEqual([503, expect.stringMatching(/^[123]$/)])
    await first.next()
    first.leave()
    await eventually(async () => expect((await listen(service.url, service.key)).status).toBe(200))
  })

  it('opens no stream for HEAD', async () => {
    const service = await startHttp({ settings: { maxStreams: 0 } })
    const head = await service.call('HEAD', '/v1/events', { headers: { Accept: 'text/event-stream' } })
    expect([head.status, head.headers.get('Content-Type'), head.text]).toStrictEqual([200, 'text/event-stream', ''])
  })

  it('ends within five seconds when its key is revoked', async () => {
    const service = await startHttp()
    const { text, key } = await service.issue(['events:read'])
    const listener = await listen(service.url, text)
    await listener.next()
    await listener.next()
    await succeed(service.world.apiKeys.change(key.id, { revokedAt: { _tag: 'Some', value: 0 } }))
    // a good key is remembered for so long
    service.world.clock.advance(4_000)
    const begin = performance.now()
    expect(await listener.next()).toBeUndefined()
    expect(performance.now() - begin).toBeLessThan(3_000)
  })

  it('ends at once when the service stops, and tells its client when to come back', async () => {
    const stopping = new AbortController()
    const service = await startHttp({ settings: { stopping: stopping.signal } })
    const listener = await listen(service.url, service.key)
    await listener.next()
    await listener.next()
    stopping.abort()
    expect(await listener.next()).toStrictEqual({ retry: '1000' })
    expect(await listener.next()).toBeUndefined()
    // its client would never come back after a 503, if it is an EventSource
    const late = await listen(service.url, service.key)
    expect(await late.next()).toMatchObject({ id: expect.stringMatching(/\.0$/) })
    expect(await late.next()).toStrictEqual({ retry: '1000' })
    expect(await late.next()).toStrictEqual({ retry: '1000' })
    expect(await late.next()).toBeUndefined()
  })

  it('lasts while the log is away, shows every 15 s that it is alive, and then goes on', async () => {
    let isAway = false
    const service = await startHttp({
      replace: ({ log }) => ({
        log: { ...log, read: (request) => (isAway ? TE.left(outage) : log.read(request)) },
      }),
    })
    const listener = await listen(service.url, service.key)
    await listener.next()
    await listener.next()
    isAway = true
    await create(service)
    for (const _ of range(1, 2)) {
      service.world.clock.advance(15_000)
      expect(await listener.next()).toMatchObject({ id: expect.stringMatching(/\.0$/) })
    }
    isAway = false
    expect(await listener.next()).toMatchObject({ data: { subject: '1' } })
  })

  it('is logged once, at its end, with its events and its time', async () => {
    const service = await startHttp()
    const listener = await listen(service.url, service.key)
    await listener.next()
    await createMany(service, 3)
    for (const _ of range(1, 3)) await listener.nextEvent()
    const lines = () => service.requestLines().filter(({ route }) => route === '/v1/events')
    expect(lines()).toStrictEqual([])
    listener.leave()
    await eventually(() =>
      expect(lines()).toMatchObject([{ status: 200, events: 3, seconds: expect.any(Number), keyId: service.keyId }]),
    )
    expect(lines()[0]?.ms).toBeUndefined()
  })

  it('polls for many listeners once, and for none not at all', async () => {
    let reads = 0
    const service = await startHttp({
      replace: ({ log }) => ({
        log: {
          ...log,
          read: (request) => {
            reads += 1
            return log.read(request)
          },
        },
      }),
    })
    const listeners = await Promise.all(range(1, 30).map(() => listen(service.url, service.key)))
    await Promise.all(listeners.map(({ next }) => next()))
    await create(service)
    await Promise.all(listeners.map(({ nextEvent }) => nextEvent()))
    const before = reads
    await create(service)
    await Promise.all(listeners.map(({ nextEvent }) => nextEvent()))
    expect(reads - before).toBeLessThan(15)
    for (const { leave } of listeners) leave()
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    const after = reads
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    expect(reads).toBe(after)
  })
})

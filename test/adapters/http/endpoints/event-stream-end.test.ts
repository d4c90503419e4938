import { getEventListeners } from 'node:events'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { numbered, range, record, succeed } from '../../../../src/testing/samples.js'
import { outage } from '../../../support/domain/failing-ports.js'
import { create, startHttp, type TestService } from '../../../support/http/http-service.js'
import { listen } from '../../../support/http/listen.js'
import { eventually } from '../../../support/runner/eventually.js'
import { boundMs } from '../../../support/runner/night.js'

/** A listener that has received its position and the retry delay. */
const begun = async ({ url, key }: TestService, text = key) => {
  const listener = await listen(url, text)
  await listener.next()
  await listener.next()
  return listener
}

describe('a stream of events', () => {
  it.each([
    ['is revoked', undefined],
    ['expires', 5_000],
  ])('ends within five seconds when its key %s [feed-stream]', async (_, lifetimeMs) => {
    const service = await startHttp()
    const { text, key } = await service.issue(['events:read'], lifetimeMs)
    const listener = await begun(service, text)
    // the key is checked once, and is still valid
    service.world.clock.advance(1_000)
    await create(service)
    expect(await listener.next()).toMatchObject({ data: { subject: '1' } })
    if (lifetimeMs === undefined)
      await succeed(service.world.apiKeys.change(key.id, { revokedAt: { _tag: 'Some', value: 0 } }))
    // a valid key is cached this long
    service.world.clock.advance(4_000)
    const begin = performance.now()
    expect(await listener.next()).toBeUndefined()
    expect(performance.now() - begin).toBeLessThan(boundMs(3_000))
  })

  it('ends at once when the service stops, and tells its client when to come back [feed-stream]', async () => {
    const stopping = new AbortController()
    const service = await startHttp({ settings: { stopping: stopping.signal } })
    const listener = await begun(service)
    stopping.abort()
    expect(await listener.next()).toStrictEqual({ retry: '1000' })
    expect(await listener.next()).toBeUndefined()
    // an EventSource would never reconnect after a 503
    const late = await listen(service.url, service.key)
    expect(await late.next()).toMatchObject({ id: expect.stringMatching(/\.0$/) })
    for (const _ of range(1, 2)) expect(await late.next()).toStrictEqual({ retry: '1000' })
    expect(await late.next()).toBeUndefined()
  })

  it.each([
    [0, 10 * 60_000],
    [128, 9.5 * 60_000],
  ])(
    'ends after nine to ten minutes, whether its client is still there or not, and goes on at its position [feed-listeners feed-stream]',
    async (random, lastsMs) => {
      const service = await startHttp({
        settings: { maxStreams: 1 },
        replace: ({ crypto }) => ({
          crypto: { ...crypto, randomBytes: (count) => new Uint8Array(count).fill(random) },
        }),
      })
      const listener = await begun(service)
      service.world.clock.advance(lastsMs - 1)
      await create(service)
      const event = await listener.nextEvent()
      expect(event).toMatchObject({ data: { subject: '1' } })
      service.world.clock.advance(1)
      expect(await listener.nextEvent()).toBeUndefined()
      await create(service)
      await eventually(async () => {
        const headers = { 'Last-Event-ID': String(event?.['id']) }
        const resumed = await listen(service.url, service.key, { headers })
        expect(resumed.status).toBe(200)
        expect(await resumed.nextEvent()).toMatchObject({ data: { subject: '2' } })
      })
    },
  )

  it('lasts while the log is away, shows every 15 s that it is alive, and then goes on [feed-stream]', async () => {
    let isAway = false
    const service = await startHttp({
      replace: ({ log }) => ({
        log: { ...log, read: (request) => (isAway ? TE.left(outage) : log.read(request)) },
      }),
    })
    const listener = await begun(service)
    isAway = true
    await create(service)
    for (const _ of range(1, 2)) {
      service.world.clock.advance(15_000)
      expect(await listener.next()).toMatchObject({ id: expect.stringMatching(/\.0$/) })
    }
    isAway = false
    expect(await listener.next()).toMatchObject({ data: { subject: '1' } })
  })

  it('lasts while its key cannot be looked up, and leaves nothing behind [feed-stream]', async () => {
    const stopping = new AbortController()
    let isAway = false
    const service = await startHttp({
      settings: { stopping: stopping.signal },
      replace: ({ apiKeys }) => ({
        apiKeys: { ...apiKeys, find: (id) => (isAway ? TE.left(outage) : apiKeys.find(id)) },
      }),
    })
    const listener = await begun(service)
    isAway = true
    for (const subject of ['1', '2']) {
      // a valid key is cached this long
      service.world.clock.advance(5_000)
      await service.world.pets.add(record(numbered(BigInt(subject))))()
      expect(await listener.next()).toMatchObject({ data: { subject } })
    }
    listener.leave()
    await eventually(() => expect(getEventListeners(stopping.signal, 'abort')).toEqual([]))
  })

  it('that fails ends its response, takes no place and is logged once [feed-stream]', async () => {
    let isBroken = false
    const service = await startHttp({
      settings: { maxStreams: 1 },
      replace: ({ apiKeys }) => {
        const find: typeof apiKeys.find = (id) =>
          isBroken ? () => Promise.reject(new Error('a defect')) : apiKeys.find(id)
        return { apiKeys: { ...apiKeys, find } }
      },
    })
    const listener = await begun(service)
    isBroken = true
    // a valid key is cached this long
    service.world.clock.advance(5_000)
    // some clients report the failure, others only an end
    expect(await listener.next().catch(() => undefined)).toBeUndefined()
    isBroken = false
    await eventually(async () => expect((await listen(service.url, service.key)).status).toBe(200))
    const errors = () => service.logTexts.filter((line) => line.includes('"level":"error"'))
    await eventually(() => expect(errors()).toHaveLength(1))
    expect(JSON.parse(errors()[0] ?? '')).toMatchObject({ requestId: listener.headers.get('X-Request-Id') })
  })
})

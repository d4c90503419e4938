// The client follows the events over ways that break in every manner.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/client/client-error.js'
import { listen } from '../../src/client/listen.js'
import { makeClient } from '../../src/client/make-client.js'
import type { PetCreated } from '../../src/client/pet.js'
import { makeOnAbort, type Platform, webPlatform } from '../../src/client/platform.js'
import { NOW, range } from '../../src/testing/samples.js'
import { HUGE, isStream, next, scene, type Way } from './event-scene.js'
import { makeVirtualTime } from './scripted-service.js'

const END = { done: true, value: undefined }

const idsOf = async (iterator: AsyncIterator<Result<PetCreated>>, count: number): Promise<readonly number[]> => {
  const ids: number[] = []
  while (ids.length < count) ids.push(Number((await next(iterator)).pet.id))
  return ids
}

describe('the events of the client', () => {
  it('begin with the oldest on request, are exact, and go on with new ones', async () => {
    const { events, add, client, open } = await scene(3)
    const iterator = events('oldest')
    expect(await next(iterator)).toStrictEqual({
      position: expect.stringMatching(/\.1$/),
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      source: 'https://pets.test/v1',
      type: 'org.animal-store.pet.created.v1',
      time: new Date(NOW + 1_000).toISOString(),
      pet: { id: 1n, name: 'Rex', categoryId: HUGE },
    })
    expect(await idsOf(iterator, 2)).toStrictEqual([2, 3])
    await add(4, 4)
    expect(await idsOf(iterator, 1)).toStrictEqual([4])
    await client.createPet({ name: 'Tom', categoryId: 1n })
    expect((await next(iterator)).pet.name).toBe('Tom')
    await iterator.return?.()
    await expect.poll(open).toBe(0)
  })

  it('begin with the next new one, or after a position', async () => {
    const { events, add, open } = await scene(3)
    const iterator = events()
    const first = next(iterator)
    await expect.poll(open).toBe(1)
    await add(4, 5)
    const { position, pet } = await first
    expect(pet.id).toBe(4n)
    expect(await idsOf(events(position), 1)).toStrictEqual([5])
    expect(await idsOf(events(position.replace(/\d+$/, '1')), 4)).toStrictEqual([2, 3, 4, 5])
  })

  it('come each once and in order, wherever the stream breaks', async () => {
    const breaks = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 3, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(breaks, async (cuts) => {
        const left = [...cuts]
        const way: Way = async (request, handle) => {
          const cut = isStream(request) ? left.pop() : undefined
          const response = await handle(request)
          if (cut === undefined) return response
          let passed = 0
          const breaking = new TransformStream<Uint8Array, Uint8Array>({
            transform: (part, controller) => {
              controller.enqueue(part.subarray(0, Math.max(0, cut - passed)))
              passed += part.length
              if (passed > cut) controller.error(new Error('reset'))
            },
          })
          return new Response(response.body?.pipeThrough(breaking) ?? null, response)
        }
        const { events, leaving } = await scene(60, way)
        expect(await idsOf(events('oldest'), 60)).toStrictEqual(range(1, 60))
        leaving.abort()
      }),
      { numRuns: 4, seed: 24 },
    )
  })

  it('come over a way that ends lines in the other form of the standard, wherever it cuts them', async () => {
    const way: Way = async (request, handle) => {
      const response = await handle(request)
      if (!isStream(request)) return response
      const ending = new TransformStream<Uint8Array, Uint8Array>({
        transform: (part, controller) => {
          for (const byte of part)
            for (const one of byte === 0x0a ? [0x0d, byte] : [byte]) controller.enqueue(Uint8Array.of(one))
        },
      })
      return new Response(response.body?.pipeThrough(ending) ?? null, response)
    }
    const { events, add, open } = await scene(3, way)
    const first = next(events())
    await expect.poll(open).toBe(1)
    await add(4, 4)
    expect((await first).pet.id).toBe(4n)
  })

  const full = (): Response => new Response('{"code":"unavailable","message":"no","status":503}', { status: 503 })
  const mute = (): Response => new Response(new ReadableStream(), { headers: { 'Content-Type': 'text/event-stream' } })
  const instead =
    (reply: () => Response | Promise<Response>): Way =>
    async (request, handle) =>
      isStream(request) ? reply() : handle(request)

  const withoutAccept: Way = (request, handle) => {
    const headers = new Headers(request.headers)
    headers.delete('Accept')
    return handle(new Request(request, { headers }))
  }

  it.each<[string, Way]>([
    ['loses the header Accept', withoutAccept],
    ['holds streams back', instead(() => new Promise<Response>(() => {}))],
    ['holds the bodies of streams back', instead(mute)],
    ['has no room for a stream', instead(full)],
  ])('come over pages if the way %s', async (_, way) => {
    // a tenth of the polling interval and of the time for a response
    const schedule: Platform['schedule'] = (delayMs, run) => webPlatform.schedule(delayMs / 10, run)
    let found = 0
    const positions = (): number => found
    const counted: Way = async (request, handle) => {
      const response = await way(request, handle)
      if (request.url.includes('after=latest')) found += 1
      return response
    }
    const { events, add } = await scene(130, counted, { attemptTimeoutMs: 2_000, platform: { schedule } })
    const oldest = events('oldest')
    expect(await idsOf(oldest, 129)).toStrictEqual(range(1, 129))
    const { position } = await next(oldest)
    await add(131, 132)
    expect(await idsOf(oldest, 2)).toStrictEqual([131, 132])
    expect(await idsOf(events(position), 2)).toStrictEqual([131, 132])
    const fromNowOn = events()
    const first = next(fromNowOn)
    await expect.poll(positions).toBeGreaterThan(0)
    await add(133, 134)
    expect((await first).pet.id).toBe(133n)
    expect(await idsOf(fromNowOn, 1)).toStrictEqual([134])
  })

  it('come over a new connection after 45 s of silence, thrice the heartbeat of the service', async () => {
    const time = makeVirtualTime()
    const bytes = new TextEncoder().encode('id: a.1\ndata: \u{1f436}\n\n')
    const body = new ReadableStream({
      start: (stream) => {
        // however the bytes are split
        for (const byte of bytes) stream.enqueue(Uint8Array.of(byte))
      },
    })
    const fetch = async () => new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
    const caller = {
      apiKey: 'a',
      attemptTimeoutMs: 300,
      platform: { ...webPlatform, ...time, fetch },
      onAbort: makeOnAbort(),
      requests: new WeakMap(),
    }
    const stream = listen(caller, { url: 'https://pets.test/v1/events' }, new AbortController().signal)
    expect(await time.whole(stream.next())).toMatchObject({ value: { id: 'a.1', data: '\u{1f436}' } })
    const end = { error: { _tag: 'timeout' }, isHopeless: false }
    expect(await time.whole(stream.next())).toMatchObject({ value: end })
    expect(time.now()).toBe(45_000)
    expect(await stream.next()).toStrictEqual(END)
  })

  it('end with an error that no retry can help', async () => {
    const { events, client } = await scene(1)
    const results = async (all: AsyncIterator<Result<PetCreated>>) => [await all.next(), await all.next()]
    expect(await results(events('nonsense'))).toMatchObject([{ value: { error: { _tag: 'invalid_parameter' } } }, END])
    const wrong = makeClient({ baseUrl: 'https://pets.test/v1', apiKey: 'a\nb' })
    const invalid = await wrong.events()[Symbol.asyncIterator]().next()
    expect(invalid).toMatchObject({ value: { ok: false, error: { _tag: 'invalid_request' } } })
    expect(JSON.stringify(invalid)).not.toContain('a\\nb')
    expect(await results(client.events({ signal: AbortSignal.abort() })[Symbol.asyncIterator]())).toMatchObject([
      { value: { error: { _tag: 'aborted' } } },
      END,
    ])
  })

  it('skip types that are newer than the client, and end with an event that cannot be read', async () => {
    const newer = '{"specversion":"1.0","id":"a","source":"s","type":"org.example.pet.sold.v1","time":"t","data":{}}'
    const damaged = newer.replace('sold', 'created')
    for (const [over, contentType, body] of [
      ['stream', 'text/event-stream', `id: log.1\ndata: ${newer}\n\nid: log.2\ndata: ${damaged}\n\n`],
      ['page', 'application/json', `[${newer},${damaged}]`],
    ] as const) {
      const headers = { 'Content-Type': contentType, Link: '</v1/events?after=log.2>; rel="next"' }
      const { events } = await scene(0, async () => new Response(body, { headers }))
      const result = await events(over === 'page' ? 'oldest' : 'log.0').next()
      expect(result).toMatchObject({ value: { ok: false, error: { _tag: 'unexpected_reply' } } })
    }
  })
})

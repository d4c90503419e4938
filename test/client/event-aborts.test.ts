// How events end when their consumer aborts or leaves.
import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { makeClient } from '../../src/client/make-client.js'
import { range } from '../../src/testing/samples.js'
import { makeGate } from '../support/runner/gate.js'
import { isStream, next, scene, type Way } from './event-scene.js'
import { errorReply } from './scripted-service.js'

const END = { done: true, value: undefined }

const withoutStreams: Way = async (request, handle) =>
  isStream(request) ? errorReply(503, 'unavailable') : handle(request)

it.each<[string, Way]>([
  ['a stream', (request, handle) => handle(request)],
  ['a page', withoutStreams],
])('events end with the one after which their consumer aborts, though more of %s have arrived', async (_, way) => {
  const { events, leaving } = await scene(50, way)
  const iterator = events('oldest')
  for (const id of range(1, 10)) expect((await next(iterator)).pet.id).toBe(BigInt(id))
  leaving.abort('enough')
  const aborted = { ok: false, error: { _tag: 'aborted', cause: 'enough' } }
  expect(await iterator.next()).toMatchObject({ value: aborted })
  expect(await iterator.next()).toStrictEqual(END)
})

it('events close their stream at once when the caller aborts, even if nobody asks for the next one', async () => {
  const { events, leaving, open } = await scene(5)
  const iterator = events('oldest')
  for (const id of range(1, 3)) expect((await next(iterator)).pet.id).toBe(BigInt(id))
  expect(open()).toBe(1)
  leaving.abort()
  await expect.poll(open).toBe(0)
  await iterator.next()
})

it.each([
  ['aborts', true, { value: { ok: false, error: { _tag: 'aborted' } } }],
  ['leaves', false, END],
])('events end at once when the caller %s while they wait, and close the stream', async (_, aborts, expected) => {
  const { events, leaving, open } = await scene(0)
  const iterator = events()
  const pending = iterator.next()
  await expect.poll(open).toBe(1)
  if (aborts) leaving.abort()
  else expect(await iterator.return?.()).toStrictEqual(END)
  expect(await pending).toMatchObject(expected)
  await expect.poll(open).toBe(0)
  expect(await iterator.next()).toStrictEqual(END)
})

it('events leave nothing on the signal of their consumer, and cancel a stream whose fetch knows no signals', async () => {
  const cancelled = makeGate()
  const fetch = async (request: Request): Promise<Response> => {
    if (!isStream(request)) return new Response('[]', { headers: { Link: '</v1/events?after=log.0>; rel="next"' } })
    return new Response(new ReadableStream({ cancel: cancelled.open }), {
      headers: { 'Content-Type': 'text/event-stream' },
    })
  }
  const client = makeClient({ baseUrl: 'https://pets.test/v1', apiKey: 'a', platform: { fetch } })
  const { signal } = new AbortController()
  const iterator = client.events({ after: 'log.0', signal })[Symbol.asyncIterator]()
  const pending = iterator.next()
  await expect.poll(() => getEventListeners(signal, 'abort').length).toBeGreaterThan(0)
  await iterator.return?.()
  await pending
  await cancelled.opened
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

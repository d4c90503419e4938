import * as E from 'fp-ts/lib/Either.js'
import { expect, it, vi } from 'vitest'
import { type FeedChunk, makeFeedTail } from '../../../../src/adapters/http/feed/feed-tail.js'
import type { Unavailable } from '../../../../src/domain/errors.js'
import { makeFeed } from '../../../../src/domain/events/read-feed.js'
import { event, numbered, range, record, succeed } from '../../../../src/testing/samples.js'
import { makeWorld } from '../../../support/domain/domain-world.js'
import { outage } from '../../../support/domain/failing-ports.js'
import { useFakeTimers } from '../../../support/runner/fake-timers.js'

const SETTINGS = { logId: 'log', source: 'https://pets.test/v1', typePrefix: 'org.example' }
const EMPTY = { bytes: new Uint8Array(), events: 0, upTo: 0 }

it.each([
  ['of this process comes within 40 ms', true, 40],
  ['of another process comes within half a second', false, 500],
])('an event %s [feed-listeners]', async (_, isOwn, milliseconds) => {
  useFakeTimers()
  const world = makeWorld()
  const tail = makeFeedTail(makeFeed(world))
  const looked = tail.next(0, SETTINGS, EMPTY)
  await vi.advanceTimersByTimeAsync(500)
  expect(await looked).toMatchObject({ events: 0 })
  let events = 0
  void tail.next(0, SETTINGS, EMPTY).then(async () => {
    events += (await tail.next(0, SETTINGS, EMPTY)).events
  })
  await succeed(world.pets.add(record(numbered(1))))
  if (isOwn) tail.wake()
  await vi.advanceTimersByTimeAsync(milliseconds - 1)
  expect(events).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(events).toBe(1)
})

it('streams that resume leave turns of the event loop to others', async () => {
  let [reads, most] = [0, 0]
  const tail = makeFeedTail({
    readAfter: (number) => async () => {
      reads += 1
      most = Math.max(most, reads)
      return E.right({ events: [event(number + 1)], upTo: number + 1, isFull: true })
    },
  })
  const counting = setInterval(() => (reads = 0))
  const resume = async (at: number) => {
    for (const number of range(1, 20)) await tail.next(number, { ...SETTINGS, source: String(at) }, undefined)
  }
  await Promise.all(range(1, 50).map(resume))
  clearInterval(counting)
  expect(most).toBeLessThan(100)
})

it('is read once for listeners under several addresses, and each gets its own as source [feed-listeners]', async () => {
  let reads = 0
  const name = '"source":"" https://other.test/v1'
  const tail = makeFeedTail({
    readAfter: (number) => async () => {
      reads += 1
      return E.right({ events: [event(number + 1, { name, categoryId: 1n })], upTo: number + 1, isFull: false })
    },
  })
  for (const source of ['https://one.test/v1', 'https://two.test/v1', 'https://one.test/v1']) {
    const { bytes } = await tail.next(0, { ...SETTINGS, source }, undefined)
    const [, data = ''] = /^data: (.*)$/m.exec(new TextDecoder().decode(bytes)) ?? []
    expect(JSON.parse(data)).toMatchObject({ source, data: { name } })
  }
  expect(reads).toBe(1)
})

it('begins with few events, because many listeners may come back at once', async () => {
  const limits: number[] = []
  const tail = makeFeedTail({
    readAfter: (number, limit) => async () => {
      limits.push(limit)
      return E.right({ events: [event(number + 1)], upTo: number + 1, isFull: true })
    },
  })
  const first = await tail.next(0, SETTINGS, undefined)
  await tail.next(first.upTo, SETTINGS, first)
  expect(limits).toStrictEqual([20, 100])
})

/** A log with events without end, and the numbers after which it was read. The first read may fail. */
const endless = (failure?: () => E.Either<Unavailable, never>) => {
  const reads: number[] = []
  const tail = makeFeedTail({
    readAfter: (number, limit) => async () => {
      reads.push(number)
      if (reads.length === 1 && failure !== undefined) return failure()
      const events = range(number + 1, number + limit).map((at) => event(at))
      return E.right({ events, upTo: number + limit, isFull: true })
    },
  })
  return { tail, reads }
}

const FULL = { ...EMPTY, events: 100 }

it('keeps the chunk of a listener that goes on apart from the short first one of another [feed-listeners]', async () => {
  const { tail } = endless()
  for (const [before, events] of [
    [FULL, 100],
    [undefined, 20],
    [FULL, 100],
  ] as const)
    expect(await tail.next(0, SETTINGS, before)).toMatchObject({ events, upTo: events })
})

it.each([
  ['during an outage', () => E.left(outage)],
  ['because of a defect', () => expect.fail('a defect')],
])('reads again what could not be read %s [feed-listeners]', async (_, failure) => {
  const { tail, reads } = endless(failure)
  await tail.next(0, SETTINGS, FULL).catch(() => undefined)
  expect(await tail.next(0, SETTINGS, FULL)).toMatchObject({ events: 100 })
  expect(reads.filter((number) => number === 0).length).toBeGreaterThan(1)
})

it.each([
  ['fails by a defect', () => Promise.reject(new Error('a defect')), 500],
  // a heartbeat is due every 15 s
  ['takes longer', () => new Promise<never>(() => {}), 1_000],
])('listeners at the end do not wait for a look at the log that %s [feed-listeners]', async (_, look, milliseconds) => {
  useFakeTimers()
  let reads = 0
  const tail = makeFeedTail({
    readAfter: () => () => {
      reads += 1
      return reads === 1 ? Promise.resolve(E.right({ events: [], upTo: 0, isFull: false })) : look()
    },
  })
  const ended = vi.fn<(chunk: FeedChunk) => void>()
  void tail.next(0, SETTINGS, EMPTY).then(ended)
  await vi.advanceTimersByTimeAsync(milliseconds)
  expect(ended).toHaveBeenCalledWith(EMPTY)
})

it('keeps the 64 newest chunks', async () => {
  const { tail, reads } = endless()
  for (const number of [...range(1, 65), 2, 1]) await tail.next(number, SETTINGS, FULL)
  expect(reads).toEqual([...range(1, 65), 1])
})

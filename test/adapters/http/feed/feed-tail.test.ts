import { setImmediate as nextTurn } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { makeFeedTail } from '../../../../src/adapters/http/feed/feed-tail.js'
import { type Feed, makeFeed } from '../../../../src/domain/events/read-feed.js'
import { event, numbered, range, record, succeed } from '../../../../src/testing/samples.js'
import { makeWorld } from '../../../support/domain/domain-world.js'
import { makeGate } from '../../../support/runner/gate.js'
import { boundMs } from '../../../support/runner/night.js'

const SETTINGS = { logId: 'log', source: 'https://pets.test/v1', typePrefix: 'org.example' }

it('the end of the log is looked at again at once for a create during a look', async () => {
  const world = makeWorld()
  await succeed(world.pets.add(record(numbered(1))))
  const feed = makeFeed(world)
  const look = makeGate()
  let reads = 0
  const readAfter: Feed['readAfter'] = (number, limit) => async () => {
    reads += 1
    if (reads !== 2) return feed.readAfter(number, limit)()
    await look.pass()
    return E.right({ events: [], upTo: 1, isFull: false })
  }
  const tail = makeFeedTail({ readAfter })
  await tail.next(0, SETTINGS, false)
  const waiting = tail.next(1, SETTINGS, true)
  tail.wake()
  await look.entered(1)
  await succeed(world.pets.add(record(numbered(2))))
  tail.wake()
  look.open()
  expect(await waiting).toMatchObject({ events: 0 })
  const begin = performance.now()
  await tail.next(1, SETTINGS, true)
  expect(await tail.next(1, SETTINGS, true)).toMatchObject({ events: 1, upTo: 2 })
  // less than the interval of polls
  expect(performance.now() - begin).toBeLessThan(boundMs(400))
})

it('streams that resume leave turns of the event loop to others', async () => {
  const [listeners, chunks] = [50, 20]
  let [reads, most] = [0, 0]
  const readAfter: Feed['readAfter'] = (number) => async () => {
    reads += 1
    most = Math.max(most, reads)
    // the next turn is longer away than any read of an embedded store
    for (const end = performance.now() + 0.2; performance.now() < end; );
    return E.right({ events: [event(number + 1)], upTo: number + 1, isFull: true })
  }
  const tail = makeFeedTail({ readAfter })
  const counting = setInterval(() => {
    reads = 0
  })
  let follower: number | undefined
  const resume = async (source: string): Promise<void> => {
    for (const number of range(1, chunks)) await tail.next(number, { ...SETTINGS, source }, false)
  }
  const resuming = Promise.all(range(1, listeners).map((at) => resume(`https://pets.test/${at}`)))
  void tail.next(chunks, SETTINGS, true).then(({ upTo }) => {
    follower = upTo
  })
  await nextTurn()
  // one that has followed the end does not wait for them
  expect(follower).toBe(chunks + 1)
  await resuming
  clearInterval(counting)
  // this timer may be later than that of the streams
  expect(most).toBeLessThanOrEqual(20)
})

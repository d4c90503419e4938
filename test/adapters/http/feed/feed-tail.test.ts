import { expect, it, vi } from 'vitest'
import { makeFeedTail } from '../../../../src/adapters/http/feed/feed-tail.js'
import { makeFeed } from '../../../../src/domain/events/read-feed.js'
import { numbered, record, succeed } from '../../../../src/testing/samples.js'
import { makeWorld } from '../../../support/domain/domain-world.js'
import { useFakeTimers } from '../../../support/runner/fake-timers.js'

const SETTINGS = { logId: 'log', source: 'https://pets.test/v1', typePrefix: 'org.example' }

it.each([
  ['of this process comes within 40 ms', true, 40],
  ['of another process comes within half a second', false, 500],
])('an event %s [feed-listeners]', async (_, isOwn, milliseconds) => {
  useFakeTimers()
  const world = makeWorld()
  const tail = makeFeedTail(makeFeed(world))
  const looked = tail.next(0, SETTINGS, true)
  await vi.advanceTimersByTimeAsync(500)
  expect(await looked).toMatchObject({ events: 0 })
  let events = 0
  void tail.next(0, SETTINGS, true).then(async () => {
    events += (await tail.next(0, SETTINGS, true)).events
  })
  await succeed(world.pets.add(record(numbered(1))))
  if (isOwn) tail.wake()
  await vi.advanceTimersByTimeAsync(milliseconds - 1)
  expect(events).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(events).toBe(1)
})

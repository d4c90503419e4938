import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { makeFeedTail } from '../../../../src/adapters/http/feed/feed-tail.js'
import { type Feed, type FeedPage, makeFeed } from '../../../../src/domain/events/read-feed.js'
import { addAll, numbered, range } from '../../../../src/testing/samples.js'
import { makeWorld } from '../../../support/domain/domain-world.js'
import { eventually } from '../../../support/runner/eventually.js'
import { boundMs } from '../../../support/runner/night.js'

const SETTINGS = { logId: 'log', source: 'https://pets.test/v1', typePrefix: 'org.example' }

/** A tail of a log with events, whose reads a test can replace. */
const tailOf = async (count: number) => {
  const world = makeWorld()
  const add = (from: number, to: number) =>
    addAll(
      world.pets,
      range(from, to).map((id) => numbered(id)),
    )
  await add(1, count)
  const feed = makeFeed(world)
  const reads: number[] = []
  const control = { readAfter: feed.readAfter }
  const readAfter: Feed['readAfter'] = (number, limit) => {
    reads.push(number)
    return control.readAfter(number, limit)
  }
  return { tail: makeFeedTail({ readAfter }), add, reads, control, feed }
}

describe('the end of the log', () => {
  it('looks again at once for a create during a look', async () => {
    const { tail, add, reads, control, feed } = await tailOf(1)
    await tail.next(0, SETTINGS)
    const waiting = tail.next(1, SETTINGS)
    let response = (_: E.Either<never, FeedPage>): void => {}
    control.readAfter = () => () =>
      new Promise((resolve) => {
        response = resolve
      })
    tail.wake()
    await eventually(() => expect(reads).toHaveLength(2))
    control.readAfter = feed.readAfter
    await add(2, 2)
    tail.wake()
    response(E.right({ events: [], upTo: 1, isFull: false }))
    expect(await waiting).toMatchObject({ events: 0 })
    const begin = performance.now()
    await tail.next(1, SETTINGS)
    expect(await tail.next(1, SETTINGS)).toMatchObject({ events: 1, upTo: 2 })
    // less than the interval of polls
    expect(performance.now() - begin).toBeLessThan(boundMs(400))
  })
})

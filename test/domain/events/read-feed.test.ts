import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { eventNumber } from '../../../src/domain/events/domain-event.js'
import { type Feed, makeFeed, positionText } from '../../../src/domain/events/read-feed.js'
import { DEFAULT_LIMIT, type Limit } from '../../../src/domain/pets/pet-query.js'
import type { EventLog, LogPage } from '../../../src/ports/event-log.js'
import { addAll, eventOf, fail, numbered, range, succeed } from '../../../src/testing/samples.js'
import { makeWorld, type World } from '../../support/domain/domain-world.js'
import { outage } from '../../support/domain/failing-ports.js'

const OTHER = '00000000-0000-4000-8000-000000000000'

const logWith = (damaged: (number: number) => boolean): EventLog => ({
  storage: Symbol('a test'),
  head: TE.right({ logId: OTHER, last: 100 }),
  read: ({ after, limit }) => {
    const numbers = range(after + 1, Math.min(100, after + limit))
    const page: LogPage = {
      events: numbers.filter((number) => !damaged(number)).map((number) => eventOf(numbered(number))),
      damaged: numbers.filter(damaged),
      upTo: numbers.at(-1) ?? after,
    }
    return TE.right(page)
  },
})

const numbersAfter = async (feed: Feed, number: number, limit: Limit = DEFAULT_LIMIT) => {
  const { events, ...rest } = await succeed(feed.readAfter(number, limit))
  return { numbers: events.map(eventNumber), ...rest }
}

const zoo = async (count: number): Promise<World> => {
  const world = makeWorld()
  await addAll(
    world.pets,
    range(1, count).map((id) => numbered(id)),
  )
  return world
}

describe('the feed', () => {
  it('fills a page beyond damaged records, within bounds', async () => {
    const odd = makeFeed({ log: logWith((number) => number % 2 === 1) })
    expect(await numbersAfter(odd, 0, 4)).toStrictEqual({ numbers: [2, 4, 6, 8], upTo: 8, isFull: true })
    const mostly = makeFeed({ log: logWith((number) => number < 95) })
    expect(await numbersAfter(mostly, 0, 5)).toStrictEqual({ numbers: [], upTo: 50, isFull: true })
    expect(await numbersAfter(mostly, 50, 5)).toStrictEqual({ numbers: [95, 96, 97, 98, 99], upTo: 99, isFull: true })
  })

  it('starts before the oldest event, or after the last one that is final', async () => {
    const { log } = await zoo(5)
    const { logId } = await succeed(log.head)
    const feed = makeFeed({ log: { ...log, head: TE.right({ logId, last: 9 }) } })
    expect(await succeed(feed.startAt(O.none, true))).toStrictEqual({ logId, number: 5 })
    expect(await succeed(feed.startAt(O.none, false))).toStrictEqual({ logId, number: 0 })
    // two more events are added after the head was read
    const early = makeFeed({ log: { ...log, head: TE.right({ logId, last: 3 }) } })
    expect(await succeed(early.startAt(O.none, true))).toStrictEqual({ logId, number: 3 })
  })

  it('resumes at any position up to the end, also of another process, and at none beyond [feed-positions]', async () => {
    const world = await zoo(2)
    const { logId } = await succeed(world.log.head)
    const at = (number: number) => O.some(positionText(logId, number))
    const [early, late] = [makeFeed(world), makeFeed(world)]
    for (const last of [2, 3]) {
      expect(await succeed(early.startAt(at(last), false))).toStrictEqual({ logId, number: last })
      expect(await fail(early.startAt(at(last + 1), false))).toMatchObject({ _tag: 'InvalidPosition' })
      await addAll(world.pets, [numbered(last + 1)])
    }
    expect(await succeed(late.startAt(at(4), false))).toStrictEqual({ logId, number: 4 })
  })

  it('fails while the log is away', async () => {
    const { log } = await zoo(1)
    const withoutHead = makeFeed({ log: { ...log, head: TE.left(outage) } })
    for (const position of [O.none, O.some(positionText(OTHER, 1))])
      expect(await fail(withoutHead.startAt(position, false))).toBe(outage)
    const withoutPages = makeFeed({ log: { ...log, read: () => TE.left(outage) } })
    expect(await fail(withoutPages.startAt(O.none, true))).toBe(outage)
    expect(await fail(withoutPages.readAfter(0, DEFAULT_LIMIT))).toBe(outage)
  })
})

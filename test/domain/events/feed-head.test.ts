// The head that a feed remembers, because reading it costs MongoDB a write.
import * as O from 'fp-ts/lib/Option.js'
import { expect, it } from 'vitest'
import { makeFeed, positionText } from '../../../src/domain/events/read-feed.js'
import { addAll, fail, numbered, range, succeed } from '../../../src/testing/samples.js'
import { makeWorld } from '../../support/domain/domain-world.js'

const start = async () => {
  const { pets, log } = makeWorld()
  await addAll(
    pets,
    range(1, 3).map((id) => numbered(id)),
  )
  let heads = 0
  const head = () => {
    heads += 1
    return log.head()
  }
  const feed = makeFeed({ log: { ...log, head } })
  const { logId } = await succeed(log.head)
  const at = (number: number, id = logId) => feed.startAt(O.some(positionText(id, number)), false)
  /** The heads read since the last call. */
  const headsRead = () => {
    const read = heads
    heads = 0
    return read
  }
  return { pets, feed, logId, at, headsRead }
}

it('it is read once for positions up to it, and follows what is read', async () => {
  const { pets, feed, logId, at, headsRead } = await start()
  for (const number of [1, 3, 0, 2]) expect(await succeed(at(number))).toStrictEqual({ logId, number })
  expect(await succeed(feed.startAt(O.none, false))).toStrictEqual({ logId, number: 0 })
  expect(headsRead()).toBe(1)
  await addAll(pets, [numbered(4)])
  await succeed(feed.readAfter(3, 20))
  // an old page does not move it back
  await succeed(feed.readAfter(0, 1))
  expect(await succeed(at(4))).toStrictEqual({ logId, number: 4 })
  expect(headsRead()).toBe(0)
})

it('it is read again for the end of the log, and before a position is refused, with the reason', async () => {
  const { feed, logId, at, headsRead } = await start()
  await succeed(at(3))
  headsRead()
  expect(await succeed(feed.startAt(O.none, true))).toStrictEqual({ logId, number: 3 })
  const beginAgain = ': begin again without it'
  expect(await fail(at(4))).toMatchObject({ reason: `is beyond the end of the log${beginAgain}` })
  expect(await fail(at(1, 'another-log'))).toMatchObject({ reason: `is a position of another log${beginAgain}` })
  expect(headsRead()).toBe(3)
})

it('a page is read once if it is full or the last one', async () => {
  const { log } = makeWorld()
  let reads = 0
  const feed = makeFeed({
    log: {
      ...log,
      read: (request) => {
        reads += 1
        return log.read(request)
      },
    },
  })
  expect(await succeed(feed.readAfter(0, 2))).toMatchObject({ isFull: false })
  expect(reads).toBe(1)
})

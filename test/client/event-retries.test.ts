// When the client retries a stream, in virtual time.
import { expect, it, onTestFinished } from 'vitest'
import { makeClient } from '../../src/client/make-client.js'
import { range } from '../../src/testing/samples.js'
import { isStream, next } from './event-scene.js'
import { errorReply, makeVirtualTime } from './scripted-service.js'

/** Streams carry one event each; silent ones only a position; failed ones get 500, and refused ones find no room. */
const shortStreams = (
  refused: readonly number[],
  after?: string,
  silent: readonly number[] = [],
  failed: readonly number[] = [],
) => {
  const time = makeVirtualTime()
  const streams: number[] = []
  const pages: string[] = []
  const fetch = async (request: Request): Promise<Response> => {
    if (!isStream(request)) {
      const after = new URL(request.url).searchParams.get('after')
      pages.push(String(after))
      if (after === 'latest') return new Response('[]', { headers: { Link: '<?after=log.0>; rel="next"' } })
      // one that leads to itself is the last one, whatever is on it
      return new Response(pages.length % 2 === 0 ? '[]' : '[{"type":"pet.sold.v1"}]', {
        headers: { Link: `<?after=${after}>; rel="next"` },
      })
    }
    streams.push(time.now())
    const id = streams.length
    if (refused.includes(id)) return new Response('{"code":"unavailable","message":"no","status":503}', { status: 503 })
    if (failed.includes(id)) return errorReply(500, 'internal_error')
    const data = { id: `event-${id}`, source: 's', type: 'org.pet.created.v1', time: 't' }
    const text = JSON.stringify({ ...data, data: { id, name: 'Rex', categoryId: 1 } })
    const sent = silent.includes(id) ? '' : `data: ${text}\n`
    return new Response(`id: log.${id}\n${sent}\n`, { headers: { 'Content-Type': 'text/event-stream' } })
  }
  const platform = { ...time, fetch, random: () => 1 }
  const backOff = { initialMs: 100, maxMs: 100_000 }
  const client = makeClient({ baseUrl: 'https://pets.test/v1', apiKey: 'a', backOff, platform })
  const iterator = client.events({ after })[Symbol.asyncIterator]()
  onTestFinished(() => void iterator.return?.())
  return { time, streams, pages, iterator }
}

it('events come again after the shortest wait, however often a stream breaks that had an event', async () => {
  const { time, streams, iterator } = shortStreams([], 'log.0')
  for (const id of range(1, 10)) expect(await time.whole(next(iterator))).toMatchObject({ pet: { id: BigInt(id) } })
  expect(streams).toStrictEqual(range(0, 9).map((at) => 100 * at))
})

it('events come after waits that double while streams give no more than a position', async () => {
  const { time, streams, iterator } = shortStreams([], 'log.0', [1, 2, 3, 4])
  expect(await time.whole(next(iterator))).toMatchObject({ pet: { id: 5n } })
  expect(streams).toStrictEqual([0, 100, 300, 700, 1_500])
})

it.each([
  ['of a caller who gave a position come over pages for 30 s', 'log.0', [1], [2], [0, 30_000], ['log.0']],
  ['come over pages for 30 s after the position that a stream gave', 'log.0', [2], [1, 3], [0, 100, 30_100], ['log.1']],
  [
    'of a caller without a position come over pages, too, from the end of the log on',
    undefined,
    [1],
    [2],
    [0, 30_000],
    ['latest', 'log.0'],
  ],
])('events %s', async (_, after, refused, ids, streamsAt, pagesAfter) => {
  const { time, streams, pages, iterator } = shortStreams(refused, after)
  for (const id of ids) expect(await time.whole(next(iterator))).toMatchObject({ pet: { id: BigInt(id) } })
  expect(streams).toStrictEqual(streamsAt)
  expect([...new Set(pages)]).toStrictEqual(pagesAfter)
})

it('a 500 is repeated once, however often streams have broken before', async () => {
  const { time, streams, iterator } = shortStreams([], 'log.0', [1, 2, 4], [3, 5, 7, 8])
  expect(await time.whole(next(iterator))).toMatchObject({ pet: { id: 6n } })
  expect(await time.whole(iterator.next())).toMatchObject({ value: { error: { _tag: 'internal_error' } } })
  expect(streams).toHaveLength(8)
})

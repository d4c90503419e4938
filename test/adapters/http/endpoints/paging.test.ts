import { describe, expect, it } from 'vitest'
import { range } from '../../../../src/testing/samples.js'
import { type Call, type Reply, refusal } from '../../../support/http/client.js'
import { shareHttp, startHttp } from '../../../support/http/http-service.js'

const add = async (call: Call, count: number, status = 'sold'): Promise<void> => {
  for (let n = 0; n < count; n += 1) {
    await call('POST', '/v1/pets', { body: JSON.stringify({ name: 'n', categoryId: n, status }) })
  }
}

const nextOf = ({ headers }: Reply): URL | undefined => {
  const link = headers.get('Link')
  if (link === null) return undefined
  const address = /^<(http:\/\/[^>]+)>; rel="next"$/.exec(link)?.[1]
  if (address === undefined) throw new Error(`not a link: ${link}`)
  return new URL(address)
}
const cursorOf = (response: Reply): string => nextOf(response)?.searchParams.get('cursor') ?? ''

const idsIn = ({ text }: Reply): readonly number[] => [...text.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id))

/** The ids on all pages from this path on; runs `between` between pages. */
const walk = async (call: Call, path: string, between: () => Promise<unknown> = async () => {}) => {
  const ids: number[] = []
  for (let at: string | undefined = path; at !== undefined; ) {
    // a cursor that does not advance fails here instead of timing out
    expect(ids.length, 'pets of a walk').toBeLessThan(1_000)
    const response = await call('GET', at)
    ids.push(...idsIn(response))
    const next = nextOf(response)
    at = next === undefined ? undefined : next.pathname + next.search
    await between()
  }
  return ids
}

describe('a walk along the links', () => {
  it.each([1, 2, 8, 9, 100])(
    'sees every pet that existed at its start exactly once, with creates in between, in pages of %s [paging]',
    async (limit) => {
      const { call } = await startHttp()
      await add(call, 9)
      expect(await walk(call, `/v1/pets?limit=${limit}`, () => add(call, 3))).toEqual(range(1, 9).toReversed())
    },
  )

  it('keeps its filter and its limit', async () => {
    const { call } = await startHttp()
    await add(call, 3, 'sold')
    await add(call, 3, 'pending')
    const first = await call('GET', '/v1/pets?limit=1&status=sold&id=3&id=1&id=6&x=1')
    expect(nextOf(first)?.search).toMatch(/^\?limit=1&status=sold&id=3&id=1&id=6&cursor=[\w-]+$/)
    expect(await walk(call, '/v1/pets?limit=1&status=sold')).toEqual([3, 2, 1])
    expect(await walk(call, '/v1/pets?limit=2&id=5&id=3&id=1')).toEqual([5, 3, 1])
  })

  it('has no link on its last page, and none on an empty one [paging]', async () => {
    const { call } = await startHttp()
    expect((await call('GET', '/v1/pets')).headers.get('Link')).toBeNull()
    await add(call, 2)
    expect((await call('GET', '/v1/pets?limit=2')).headers.get('Link')).toBeNull()
  })

  it('may change its limit between pages [paging]', async () => {
    const { call } = await startHttp()
    await add(call, 5)
    const cursor = cursorOf(await call('GET', '/v1/pets?limit=1'))
    expect(idsIn(await call('GET', `/v1/pets?limit=3&cursor=${cursor}`))).toEqual([4, 3, 2])
    expect(idsIn(await call('GET', `/v1/pets?cursor=${cursor}`))).toEqual([4, 3, 2, 1])
  })
})

describe('a cursor', () => {
  const shared = shareHttp()
  const pathOf = (cursor: string): string => `/v1/pets?limit=1&cursor=${encodeURIComponent(cursor)}`
  const given = async (): Promise<string> => {
    if (idsIn(await shared().call('GET', '/v1/pets')).length < 3) await add(shared().call, 3)
    return cursorOf(await shared().call('GET', '/v1/pets?limit=1'))
  }
  const message = 'cursor must be one that this list issued, unchanged and with the same filter'
  const invalid = refusal(400, 'invalid_cursor', message)

  it('is refused after a change in any place, truncated or lengthened [paging]', async () => {
    const cursor = await given()
    const places = Array.from(cursor, (_, at) => [cursor.slice(0, at), cursor.slice(at + 1)] as const)
    const changed = places.flatMap(([before, after], at) =>
      ['', ...'Az_+ é'.split('')].filter((other) => other !== cursor[at]).map((other) => before + other + after),
    )
    const lengthened = ['A', '=', '==', '\n', cursor].map((more) => cursor + more)
    for (const wrong of [...places.map(([before]) => before), ...changed, ...lengthened, ` ${cursor}`])
      expect(await shared().call('GET', pathOf(wrong)), wrong).toMatchObject(invalid)
  })

  it('is refused with another filter [paging]', async () => {
    const cursor = await given()
    for (const filter of ['status=sold', 'id=1', 'id=1&id=2']) {
      expect(await shared().call('GET', `${pathOf(cursor)}&${filter}`)).toMatchObject(invalid)
    }
    const filtered = cursorOf(await shared().call('GET', '/v1/pets?limit=1&status=sold'))
    expect(await shared().call('GET', pathOf(filtered))).toMatchObject(invalid)
    expect(await shared().call('GET', `${pathOf(filtered)}&status=pending`)).toMatchObject(invalid)
    expect((await shared().call('GET', `${pathOf(filtered)}&status=sold`)).status).toBe(200)
    // the order of ids and duplicates do not change the filter
    const byIds = cursorOf(await shared().call('GET', '/v1/pets?limit=1&id=3&id=1&id=2'))
    expect((await shared().call('GET', `${pathOf(byIds)}&id=1&id=2&id=2&id=3`)).status).toBe(200)
    expect(await shared().call('GET', `${pathOf(byIds)}&id=1&id=2`)).toMatchObject(invalid)
  })

  it('must not be repeated [paging]', async () => {
    const cursor = await given()
    const told = expect.stringMatching(/^cursor must be one that this list issued, and given once; got /) as unknown
    const repeated = await shared().call('GET', `${pathOf(cursor)}&cursor=${cursor}`)
    expect(repeated).toMatchObject(refusal(400, 'invalid_parameter', told))
  })
})

it('the total is returned only for Prefer: count=exact [total]', async () => {
  const { call } = await startHttp()
  await add(call, 3)
  await add(call, 2, 'pending')
  const totalOf = async (query: string, prefer: string): Promise<readonly (string | null)[]> => {
    const { headers } = await call('GET', `/v1/pets?${query}`, { headers: prefer === '' ? {} : { Prefer: prefer } })
    return [headers.get('X-Total-Count'), headers.get('Preference-Applied')]
  }
  const applied = 'count=exact'
  expect(await totalOf('limit=1', 'count=exact')).toEqual(['5', applied])
  expect(await totalOf('limit=1&status=pending', 'respond-async, COUNT="exact"; x')).toEqual(['2', applied])
  expect(await totalOf('id=1&id=2&id=9', 'count=exact')).toEqual(['2', applied])
  expect(await totalOf('', 'count-x=1, x="a, count=none", count\t= exact')).toEqual(['5', applied])
  const others = ['', 'count', 'count=none', 'count=estimated, count=exact', 'x-count=exact']
  for (const other of [...others, 'x="a, count=exact"', 'a="never closed, count=exact'])
    expect(await totalOf('', other), other).toEqual([null, null])
})

// Replies that are kept until their pets change: what comes the second time, under another name, and afterwards.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { expect, it } from 'vitest'
import { makeReplyMemory } from '../../../../src/adapters/http/endpoints/conditional.js'
import { staticFile } from '../../../../src/adapters/http/endpoints/documentation.js'
import { listPetsEndpoint } from '../../../../src/adapters/http/endpoints/pets.js'
import type { HttpRequest } from '../../../../src/adapters/http/messages/message.js'
import { makeFetchHandler } from '../../../../src/composition/make-fetch-handler.js'
import { DEFAULT_HANDLER } from '../../../../src/composition/use-cases.js'
import type { Pet } from '../../../../src/domain/pets/pet.js'
import { addAll, numbered } from '../../../../src/testing/samples.js'
import { makeWorld } from '../../../support/domain/domain-world.js'
import { issueApiKey } from '../../../support/domain/issue-api-key.js'

const REQUEST: HttpRequest = {
  method: 'GET',
  path: '/',
  params: {},
  query: '',
  header: () => [],
  baseUrl: 'https://pets.example/v1',
  clientAddress: '',
  id: '',
}
const CALLER = { keyId: 'k', lineage: 'k', scopes: [], validMs: 1 }

const memory = (maxSize: number) => {
  const made: string[] = []
  const keptOr = makeReplyMemory(maxSize)
  const ask = (request: string, ...pets: readonly Pet[]) =>
    keptOr(request, pets, () => {
      made.push(request)
      return { etag: request, reply: { status: 200, headers: [] } }
    })
  return { made, ask }
}

it.each<[string, Pet, readonly Pet[], number]>([
  ['the same pets, as other objects', numbered(1), [numbered(1)], 1],
  ['a pet with another id', numbered(1), [numbered(2)], 2],
  ['a pet with another name', numbered(1), [numbered(1, { name: 'b', categoryId: 7n })], 2],
  ['one pet more', numbered(2), [numbered(2), numbered(1)], 2],
  ['one pet less', numbered(1), [], 2],
])('a reply is made once for each list of pets: %s', (_, first, then, times) => {
  const { made, ask } = memory(2)
  ask('a', first)
  ask('a', ...then)
  ask('a', ...then)
  expect(made).toHaveLength(times)
})

it('the newest replies are kept', () => {
  const { made, ask } = memory(2)
  for (const request of ['a', 'b', 'c', 'c', 'b', 'a']) ask(request, numbered(1))
  expect(made).toEqual(['a', 'b', 'c', 'a'])
})

it('a page links to the host of its own request, also when another host asked for it before [paging]', async () => {
  const world = makeWorld()
  await addAll(world.pets, [numbered(1), numbered(2)])
  const handle = makeFetchHandler(world, DEFAULT_HANDLER)
  const { text } = await issueApiKey(world)
  for (const host of ['one', 'two', 'one']) {
    const headers = { Authorization: `Bearer ${text}` }
    const page = await handle(new Request(`https://${host}.example/v1/pets?limit=1`, { headers }))
    expect(page.headers.get('Link')).toMatch(new RegExp(`^<https://${host}\\.example/v1/pets\\?`))
  }
})

it('a page gets its link once an older pet follows it, whose create took longer [paging]', async () => {
  const { sha256 } = makeWorld().crypto
  let next: O.Option<bigint> = O.none
  const endpoint = listPetsEndpoint(
    () => async () => E.right({ page: { pets: [numbered(5)], next }, total: O.none }),
    sha256,
  )
  const linksOf = async () => {
    const listed = await endpoint({ ...REQUEST, query: 'limit=1' }, CALLER)
    return E.isRight(listed) && listed.right.headers.filter(([name]) => name === 'Link').length
  }
  expect(await linksOf()).toBe(0)
  next = O.some(5n)
  expect(await linksOf()).toBe(1)
})

it('a file is read once, and again only after it could not be read', async () => {
  let reads = 0
  const file = staticFile(async () => {
    reads += 1
    if (reads === 1) throw new Error('too many open files')
    return Buffer.from('text')
  }, [])
  await expect(file(REQUEST)).rejects.toThrow('too many open files')
  for (let time = 0; time < 2; time += 1) expect(await file(REQUEST)).toMatchObject({ right: { status: 200 } })
  expect(reads).toBe(2)
})

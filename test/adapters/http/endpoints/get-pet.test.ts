import { describe, expect, it } from 'vitest'
import { refusal } from '../../../support/http/client.js'
import { create, shareHttp, startHttp } from '../../../support/http/http-service.js'

const shared = shareHttp()
const NOT_FOUND = refusal(404, 'pet_not_found', 'there is no pet with this id')

it.each(['0', '-1', '9223372036854775807', '9223372036854775808', '1'.repeat(1_000), '01', '1.0', 'x', '%00'])(
  'GET /pets/{petId} does not find %s [get-pet-404 pet-id]',
  async (petId) => {
    await create(shared())
    expect(await shared().call('GET', `/v1/pets/${petId}`)).toMatchObject(NOT_FOUND)
  },
)

describe('the deprecation of GET /pets/{petId}', () => {
  const headersOf = (headers: Headers) => {
    // an error also links to its explanation
    const links = headers.get('Link')?.split(/, (?=<)/) ?? []
    const others = links.filter((link) => !link.endsWith('; rel="help"'))
    return [headers.get('Deprecation'), headers.get('Sunset'), others.length === 0 ? null : others.join(', ')]
  }
  const told = (url: string) => [
    '@1795219200',
    'Thu, 05 Dec 2030 00:00:00 GMT',
    `<${url}/docs>; rel="deprecation", <${url}/v1/pets>; rel="successor-version"`,
  ]

  it.each<[number, string, string, Record<string, string>]>([
    [200, 'GET', '1', {}],
    [200, 'HEAD', '1', {}],
    [204, 'OPTIONS', '1', {}],
    [304, 'GET', '1', { 'If-None-Match': '*' }],
    [401, 'GET', '1', { Authorization: '' }],
    [404, 'GET', 'x', {}],
    [405, 'DELETE', '1', {}],
  ])('is announced on the %s to %s %s [versioning deprecation]', async (status, method, id, headers) => {
    await create(shared())
    const response = await shared().call(method, `/v1/pets/${id}`, { headers })
    expect([response.status, headersOf(response.headers)]).toEqual([status, told(shared().url)])
  })

  it('is announced on no other route', async () => {
    for (const path of ['/v1/pets?limit=100', '/v1/store/orders', '/health/live'])
      expect(headersOf((await shared().call('GET', path)).headers)).toEqual([null, null, null])
    expect((await shared().call('GET', '/v1/pets/1/x')).headers.get('Deprecation')).toBeNull()
  })
})

describe('GET_PET=off', () => {
  const off = shareHttp({ settings: { getPetEnabled: false } })
  const message = 'this operation has been removed; use GET /pets with an id or status filter'

  it.each(['1', 'x'])('responds 410 for %s, with a valid key [deprecation]', async (id) => {
    const response = await off().call('GET', `/v1/pets/${id}`)
    expect(response).toMatchObject(refusal(410, 'operation_removed', message))
    expect(response.headers.get('Deprecation')).toBe('@1795219200')
  })

  it('does not affect the id filter of the list [id-filter]', async () => {
    await off().call('POST', '/v1/pets', { body: '{"name":"a","categoryId":1}' })
    expect((await off().call('GET', '/v1/pets?id=1')).text).toBe('[{"id":1,"name":"a","categoryId":1}]')
  })
})

it('the clock removes no operation by itself, even after the announced date [rule-5]', async () => {
  const service = await startHttp()
  await create(service)
  service.world.clock.advance(Date.UTC(2031, 0, 1))
  expect((await service.call('GET', '/v1/pets/1')).status).toBe(200)
})

import { describe, expect, it } from 'vitest'
import { refusal } from '../../../support/http/client.js'
import { shareHttp, startHttp } from '../../../support/http/http-service.js'

const shared = shareHttp()

const failure = (message: string) => refusal(400, 'invalid_parameter', message)

describe('limit', () => {
  it.each(['/v1/pets', '/v1/store/orders'])(
    'of %s must be a plain integer from 1 to 100 [limit limit-forms]',
    async (path) => {
      for (const sent of ['0', '101', '-1', '05', '5.0', '1e1', '0x5', '+5', ' 5', '5 ', 'five', '', '1e400', '٥']) {
        const message = `limit must be an integer from 1 to 100; got ${JSON.stringify(sent)}`
        expect(await shared().call('GET', `${path}?limit=${encodeURIComponent(sent)}`)).toMatchObject(failure(message))
      }
    },
  )
})

it.each(['Available', 'SOLD', 'lost', '', ' sold', 'null', 'available,sold'])(
  'status must be one of the three, not %j [pet-status status-forms]',
  async (sent) => {
    const message = `status must be one of available, pending, sold; got ${JSON.stringify(sent)}`
    expect(await shared().call('GET', `/v1/pets?status=${encodeURIComponent(sent)}`)).toMatchObject(failure(message))
  },
)

it.each([
  ['limit', '5', 'an integer from 1 to 100'],
  ['status', 'sold', 'one of available, pending, sold'],
])('%s must not be repeated [limit-forms status-forms]', async (name, value, wanted) => {
  expect(await shared().call('GET', `/v1/pets?${name}=${value}&${name}=${value}`)).toMatchObject(
    failure(`${name} must be ${wanted}, and given once; got "${value}, ${value}"`),
  )
})

describe('id', () => {
  it.each(['01', '+1', '1.0', '-0', 'x', '', '9223372036854775808', '-9223372036854775809'])(
    'must be an int64, not %j [id-filter]',
    async (sent) => {
      const rule = 'id must be an integer from -9223372036854775808 to 9223372036854775807'
      expect(await shared().call('GET', `/v1/pets?id=1&id=${encodeURIComponent(sent)}`)).toMatchObject(
        failure(`${rule}; got ${JSON.stringify(sent)}`),
      )
    },
  )

  it('may be repeated 100 times, not 101 [id-filter]', async () => {
    const ids = (count: number): string => `/v1/pets?${'id=1&'.repeat(count)}`
    expect((await shared().call('GET', ids(100))).status).toBe(200)
    expect(await shared().call('GET', ids(101))).toMatchObject(
      failure('id may be given 100 times at most; got "101 times"'),
    )
  })
})

describe('a list', () => {
  it('without pets is an empty array, of orders too [orders]', async () => {
    expect((await shared().call('GET', '/v1/pets')).text).toBe('[]')
    expect((await shared().call('GET', '/v1/store/orders?limit=7')).text).toBe('[]')
  })

  it('has 20 pets by default, newest first, including pets that were just created [list-pets limit order id-filter]', async () => {
    const { call } = await startHttp()
    for (let n = 1; n <= 25; n += 1) {
      const created = await call('POST', '/v1/pets', { body: `{"name":"n${n}","categoryId":${n}}` })
      expect((await call('GET', '/v1/pets?limit=1')).json).toEqual([created.json])
    }
    const newest = Array.from({ length: 20 }, (_, at) => 25 - at)
    const pets = newest.map((n) => `{"id":${n},"name":"n${n}","categoryId":${n}}`)
    expect((await call('GET', '/v1/pets')).text).toBe(`[${pets.join(',')}]`)
    const ids = Array.from({ length: 25 }, (_, at) => `id=${at + 1}`).join('&')
    expect((await call('GET', `/v1/pets?${ids}`)).json).toHaveLength(20)
  })

  it('can be filtered by status, by ids and by both; a pet without a status matches no status [status-filter id-filter status-on-create]', async () => {
    const { call } = await startHttp()
    for (const status of ['"available"', '"pending"', '"sold"', '"sold"', undefined]) {
      const member = status === undefined ? '' : `,"status":${status}`
      await call('POST', '/v1/pets', { body: `{"name":"n","categoryId":1${member}}` })
    }
    const ids = async (query: string): Promise<readonly string[]> =>
      [...(await call('GET', `/v1/pets?${query}`)).text.matchAll(/"id":(\d+)/g)].map((match) => String(match[1]))
    expect(await ids('')).toEqual(['5', '4', '3', '2', '1'])
    expect(await ids('status=sold')).toEqual(['4', '3'])
    expect(await ids('status=pending&limit=100')).toEqual(['2'])
    expect(await ids('id=1&id=5&id=1&id=77&id=-3')).toEqual(['5', '1'])
    expect(await ids('id=1&id=3&id=5&status=sold')).toEqual(['3'])
    expect(await ids('id=1&id=3&id=5&limit=2')).toEqual(['5', '3'])
  })

  it('ignores unknown parameters, and is case-sensitive about names [unknown]', async () => {
    const { status } = await shared().call('GET', '/v1/pets??limit=0&offset=-1&Limit=0&limit[]=0&__proto__=1&&=&a=%zz')
    expect(status).toBe(200)
  })
})

import { describe, expect, it } from 'vitest'
import { prefersType } from '../../../../src/adapters/http/messages/preferences.js'
import { refusal } from '../../../support/http/client.js'
import { shareHttp } from '../../../support/http/http-service.js'

const shared = shareHttp()
const send = (headers: Record<string, string>) =>
  shared().call('POST', '/v1/pets', { body: '{"name":"a","categoryId":1}', headers })

const unsupported = (message: string) => refusal(415, 'unsupported_media_type', message)

describe('Content-Type', () => {
  it.each([
    'APPLICATION/JSON',
    'application/json; charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; profile="a\\";charset=latin1, b"; charset="ut\\f-8"',
  ])('may be %s', async (type) => {
    expect((await send({ 'Content-Type': type })).status).toBe(201)
  })

  it.each([
    'text/json',
    'application/merge-patch+json',
    'application/json, text/plain',
    'application/json; profile="a\\"',
    '',
  ])('may not be %j [body]', async (type) => {
    const response = await send({ 'Content-Type': type })
    expect(response).toMatchObject(unsupported('the Content-Type must be application/json'))
    expect(response.headers.get('Accept-Post')).toBe('application/json')
  })

  it.each(['utf-16', 'iso-8859-1', '"utf-16"', 'utf8', '""', 'utf-8; charset=utf-16'])(
    'may not name the charset %s [body]',
    async (charset) => {
      expect(await send({ 'Content-Type': `application/json; charset=${charset}` })).toMatchObject(
        unsupported('the charset must be utf-8'),
      )
    },
  )
})

describe('Content-Encoding', () => {
  it.each(['identity', 'Identity', 'IDENTITY', 'identity, identity', 'identity,', '', ' , '])(
    'may be %j',
    async (coding) => {
      expect((await send({ 'Content-Encoding': coding })).status).toBe(201)
    },
  )

  it.each(['gzip', 'deflate', 'br', 'zstd', 'x', 'gzip, identity', 'identity, gzip', '"identity"'])(
    'may not be %s [body]',
    async (coding) => {
      const response = await send({ 'Content-Encoding': coding })
      expect(response).toMatchObject(unsupported('the Content-Encoding must be identity'))
      expect(response.headers.get('Accept-Post')).toBe('application/json')
    },
  )
})

it.each(['text/html', 'application/json;q=0', 'nonsense', '*/*;q=0, x', 'application/xml'])(
  'Accept of %s is answered with JSON all the same [accept]',
  async (accept) => {
    const headers = { Accept: accept, 'Accept-Encoding': 'gzip', 'Accept-Charset': 'utf-16' }
    for (const path of ['/v1/pets', '/v1/store/orders', '/v1/nope', '/health/live']) {
      const response = await shared().call('GET', path, { headers })
      expect(response.headers.get('Content-Type')).toBe('application/json')
    }
  },
)

describe('several lines of a list', () => {
  it.each<[readonly string[], boolean]>([
    [['application/json;q=0.1', 'text/html'], true],
    [['text/html', 'application/json;q=0.1'], true],
    [['text/html;q=0.5', 'application/json'], false],
    [['application/json;x="', '", text/html'], false],
    [[], false],
  ])('are one list of media ranges: %j', (accept, wanted) => {
    expect(prefersType('text/html', { header: () => accept })).toBe(wanted)
  })
})

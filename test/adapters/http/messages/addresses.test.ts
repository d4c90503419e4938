import { IncomingMessage } from 'node:http'
import { isIP, Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { forwardedAddress, networkOf, versionOfIp } from '../../../../src/adapters/http/access/client-address.js'
import { baseUrlOf } from '../../../../src/adapters/http/server/head.js'
import { shareHttp } from '../../../support/http/http-service.js'

const PUBLIC = 'https://pets.example/store/v1'
const behindProxy = shareHttp({ settings: { publicUrl: PUBLIC } })

describe('addresses', () => {
  it('begin with PUBLIC_URL if it is set [addresses]', async () => {
    const { call } = behindProxy()
    const create = () => call('POST', '/v1/pets', { body: '{"name":"a","categoryId":1}' })
    expect((await create()).headers.get('Location')).toBe(`${PUBLIC}/pets/1`)
    await create()
    const { headers } = await call('GET', '/v1/pets?limit=1', {
      headers: { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'ftp', Forwarded: 'host=evil.example' },
    })
    expect(headers.get('Link')).toMatch(
      /^<https:\/\/pets\.example\/store\/v1\/pets\?limit=1&cursor=[\w-]+>; rel="next"$/,
    )
    const { headers: deprecated } = await call('GET', '/v1/pets/1')
    expect(deprecated.get('Link')).toBe(
      `<https://pets.example/store/docs>; rel="deprecation", <${PUBLIC}/pets>; rel="successor-version"`,
    )
  })

  it.each<[string, Socket]>([
    ['http', new Socket()],
    ['https', new TLSSocket(new Socket())],
  ])('otherwise begin with %s, as the server speaks it', (scheme, socket) => {
    const request = new IncomingMessage(socket)
    request.headers.host = 'pets.example'
    expect(baseUrlOf(request)).toBe(`${scheme}://pets.example/v1`)
  })
})

const addressOf = (forwarded: string | undefined, trustedProxies: number): string | undefined =>
  forwardedAddress({ 'x-forwarded-for': forwarded }, trustedProxies)

describe('forwardedAddress', () => {
  it.each([
    ['a lie, 203.0.113.9', 1, '203.0.113.9'],
    ['203.0.113.9,10.0.0.1', 2, '203.0.113.9'],
    ['203.0.113.9:4711', 1, '203.0.113.9'],
    ['[2001:db8::1]', 1, '2001:db8::1'],
    ['[2001:db8::1]:4711', 1, '2001:db8::1'],
  ])('is the entry of the outermost trusted proxy in %j, with %i proxies', (forwarded, trustedProxies, address) => {
    expect(addressOf(forwarded, trustedProxies)).toBe(address)
  })

  it.each([
    ['if a proxy was bypassed', '203.0.113.9', 2],
    ['without the header', undefined, 1],
    ['if the entry is a name', 'unknown', 1],
    ['if something precedes an address in brackets', 'x[2001:db8::1]', 1],
  ])('is unknown %s', (_, forwarded, trustedProxies) => {
    expect(addressOf(forwarded, trustedProxies)).toBeUndefined()
  })
})

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:0DB8:0001:0002::ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1::1', '2001:db8:1:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['64:ff9b::203.0.113.9', '203.0.113.9'],
  ['64:ff9b::cb00:7109', '203.0.113.9'],
  ['64:ff9b:1::203.0.113.9', '64:ff9b:1:0::/64'],
])('networkOf of %j is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

it.each(['::1', '2001:db8::1.2.3.4', '1::2::3', ':1', '10000::', '1.2.3.4', '1.2.3.256', '01.2.3.4', '[::1]'])(
  'the version of %s is what node:net says',
  (text) => {
    expect(versionOfIp(text)).toBe(isIP(text))
  },
)

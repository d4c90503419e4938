import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forwardedAddress, networkOf, versionOfIp } from '../../../../src/adapters/http/access/client-address.js'
import { baseUrlOf } from '../../../../src/adapters/http/messages/head.js'
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

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:80/v1'],
    ['::1', 'http://[::1]:80/v1'],
    [undefined, 'http://localhost:80/v1'],
  ])('begin with the address of the socket without a host: %s', (localAddress, address) => {
    const message = { headers: {}, socket: { localAddress, localPort: 80 } }
    expect(baseUrlOf(message as unknown as IncomingMessage)).toBe(address)
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
    ['if the entry contains more than an address', '203.0.113.9 x', 1],
    ['if something precedes an address in brackets', 'x[2001:db8::1]', 1],
  ])('is unknown %s', (_, forwarded, trustedProxies) => {
    expect(addressOf(forwarded, trustedProxies)).toBeUndefined()
  })
})

it('tells versions of IP addresses apart as node:net does, for anything like an address', () => {
  const part = fc.constantFrom('::', ':', '0', '1.2.3.4', 'ffff', 'AB', '00', '10000', '.', '256', '%', 'lo', ']')
  const parts = fc.tuple(fc.array(part, { maxLength: 9 }), fc.constantFrom('', ':', '.'))
  const address = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    parts.map(([texts, between]) => texts.join(between)),
  )
  fc.assert(
    fc.property(address, (text) => {
      expect(versionOfIp(text)).toBe(isIP(text))
    }),
    { numRuns: 5_000 },
  )
})

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:0DB8:0001:0002::ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1::1', '2001:db8:1:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['a pipe', 'a pipe'],
])('networkOf of %j is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

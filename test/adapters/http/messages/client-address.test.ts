import { describe, expect, it } from 'vitest'
import { forwardedAddress, networkOf } from '../../../../src/adapters/http/messages/client-address.js'

const addressOf = (forwarded: string | undefined, trustedProxies: number): string | undefined =>
  forwardedAddress({ headers: { 'x-forwarded-for': forwarded } }, trustedProxies)

describe('forwardedAddress', () => {
  it.each([
    ['203.0.113.9', 1, '203.0.113.9'],
    ['a lie, 203.0.113.9', 1, '203.0.113.9'],
    ['203.0.113.9,10.0.0.1', 1, '10.0.0.1'],
    ['203.0.113.9,10.0.0.1', 2, '203.0.113.9'],
    ['203.0.113.9:4711', 1, '203.0.113.9'],
    ['2001:db8::1', 1, '2001:db8::1'],
    ['[2001:db8::1]', 1, '2001:db8::1'],
    ['[2001:db8::1]:4711', 1, '2001:db8::1'],
    ['10.20.30.40:4711', 1, '10.20.30.40'],
  ])('is the entry of the outermost trusted proxy in %j, with %i proxies', (forwarded, trustedProxies, address) => {
    expect(addressOf(forwarded, trustedProxies)).toBe(address)
  })

  it.each([
    ['without a proxy', '203.0.113.9', 0],
    ['if a proxy was bypassed', '203.0.113.9', 2],
    ['without the header', undefined, 1],
    ['if it is empty', '', 1],
    ['if the entry is a name', 'unknown', 1],
    ['if the entry is not an address', '203.0.113.999', 1],
    ['if the entry contains more than an address', '203.0.113.9 x', 1],
    ['if something precedes an address with a port', 'x203.0.113.9:4711', 1],
    ['if something precedes an address in brackets', 'x[2001:db8::1]', 1],
    ['if the port is not a number', '203.0.113.9:x', 1],
  ])('is unknown %s', (_, forwarded, trustedProxies) => {
    expect(addressOf(forwarded, trustedProxies)).toBeUndefined()
  })
})

describe('networkOf', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1::1', '2001:db8:1:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:cb00:7109', '203.0.113.9'],
    ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:0.0.0.1', '0.0.0.1'],
    ['', ''],
    ['a pipe', 'a pipe'],
  ])('of %j is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})

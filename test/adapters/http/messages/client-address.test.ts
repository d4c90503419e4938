import { describe, expect, it } from 'vitest'
import { forwardedAddress } from '../../../../src/adapters/http/messages/client-address.js'

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

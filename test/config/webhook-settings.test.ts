// EVENTS_URL=https://… and EVENTS_SECRET.
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.js'

describe('the settings of a webhook', () => {
  const secret = (bytes: number): string => `whsec_${Buffer.alloc(bytes, '\xfb\xff', 'latin1').toString('base64')}`
  const [one, other] = [secret(24), secret(64)]

  it.each([
    'https://hooks.example',
    'HTTPS://hooks.example:8443/pets?token=a%40b,c',
    'https://[2001:db8::1]/',
    'http://localhost:3000/events',
    'http://127.1.2.3/',
    'http://[::1]:80',
  ])('may be %s with a secret', (url) => {
    expect(readConfig({ EVENTS_URL: url, EVENTS_SECRET: one })).toMatchObject({
      right: { events: { _tag: 'Webhook', url, secrets: [one] } },
    })
  })

  it.each([`${one},${other}`, `${one}, ${other}`, `${one}\n${other}`])('may have two secrets: %j', (text) => {
    expect(readConfig({ EVENTS_URL: 'https://a', EVENTS_SECRET: text })).toMatchObject({
      right: { events: { secrets: [one, other] } },
    })
  })

  it('need a secret [webhook]', () => {
    const wanted = 'one or two whsec_…, separated by a comma, each with 24 to 64 bytes in base64'
    expect(readConfig({ EVENTS_URL: 'https://a' })).toEqual(
      E.left([`EVENTS_SECRET: got nothing, wanted ${wanted}, because EVENTS_URL is a webhook`]),
    )
  })

  it('may lack their webhook', () => {
    expect(readConfig({ EVENTS_SECRET: one })).toEqual(readConfig({}))
    expect(readConfig({ EVENTS_URL: 'nats://a', EVENTS_SECRET: one })).toEqual(readConfig({ EVENTS_URL: 'nats://a' }))
  })

  it.each<[string, readonly string[], string]>([
    [
      'EVENTS_URL',
      [
        'https://u:hunter2@a',
        'https://',
        'https:hunter2',
        'https://a/#hunter2',
        'https://a:hunter2',
        'https://1.2.3.999/hunter2',
        'https://h\u00f6oks.example/hunter2',
      ],
      'https://… without user, password and fragment, with %40 for each @',
    ],
    [
      'EVENTS_URL',
      ['http://hooks.example/hunter2', 'http://10.0.0.1/'],
      'https://…, because http:// is for webhooks on this machine',
    ],
    [
      'EVENTS_SECRET',
      [
        'whsec_hunter2',
        `whsec_${'A'.repeat(31)}`,
        `whsec_${'A'.repeat(28)}`,
        `whsec_${'A'.repeat(88)}`,
        'A'.repeat(32),
        `whsec_${'A'.repeat(32)},`,
        Array.from({ length: 3 }, () => `whsec_${'A'.repeat(32)}`).join(),
      ],
      'one or two whsec_…, separated by a comma, each with 24 to 64 bytes in base64',
    ],
  ])('never show the value of %s', (name, values, wanted) => {
    for (const value of values) {
      const line = `${name}: got (hidden), wanted ${wanted}`
      expect(readConfig({ [name]: value })).toEqual(E.left([line]))
    }
  })
})

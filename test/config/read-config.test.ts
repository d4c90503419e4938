import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import type { Config } from '../../src/config/config.js'
import { readConfig } from '../../src/config/read-config.js'
import { SETTING_NAMES } from '../../src/config/settings.js'

const DEFAULTS: Config = {
  host: '127.0.0.1',
  port: 8_080,
  publicUrl: undefined,
  store: { _tag: 'embedded', directory: './data' },
  eventsUrl: undefined,
  eventsTypePrefix: 'org.animal-store',
  maxBodyBytes: 1_048_576,
  requestTimeoutMs: 10_000,
  drainMs: 500,
  shutdownMs: 10_000,
  rateLimit: undefined,
  maxInFlight: 1_000,
  metricsHost: '127.0.0.1',
  metricsPort: undefined,
  corsOrigins: [],
  getPetEnabled: true,
  logLevel: 'info',
}

const mongodb = (uri: string): Partial<Config> => ({ store: { _tag: 'mongodb', uri } })

type Case = readonly [name: string, value: string, changed: Partial<Config>]

const GOOD: readonly Case[] = [
  ['HOST', '::', { host: '::' }],
  ['PORT', '0', { port: 0 }],
  ['PORT', '65535', { port: 65_535 }],
  ['PUBLIC_URL', 'https://pets.example/store/v1', { publicUrl: 'https://pets.example/store/v1' }],
  ['PUBLIC_URL', 'http://[::1]:81/v1', { publicUrl: 'http://[::1]:81/v1' }],
  ['STORE', 'memory', { store: { _tag: 'memory' } }],
  ['DATA_DIR', '/var/lib/pets', { store: { _tag: 'embedded', directory: '/var/lib/pets' } }],
  ...['mongodb://u:p@a,b/pets?w=1', 'mongodb://[::1]:27017,b:1/pets', 'mongodb+srv://a/pets'].map(
    (uri): Case => ['MONGODB_URI', uri, mongodb(uri)],
  ),
  ...['nats://u:p@a:4222', 'tls://a', 'nats://to%2Fken@[::1]:4222', 'nats://a?creds=/run/a.creds'].map(
    (eventsUrl): Case => ['EVENTS_URL', eventsUrl, { eventsUrl }],
  ),
  ['EVENTS_TYPE_PREFIX', 'org.example-2.pets_v1', { eventsTypePrefix: 'org.example-2.pets_v1' }],
  ['EVENTS_TYPE_PREFIX', 'pets', { eventsTypePrefix: 'pets' }],
  ['BODY_LIMIT_BYTES', '1', { maxBodyBytes: 1 }],
  ['REQUEST_TIMEOUT_SECONDS', '0.5', { requestTimeoutMs: 500 }],
  ['REQUEST_TIMEOUT_SECONDS', '1.001', { requestTimeoutMs: 1_001 }],
  ['DRAIN_SECONDS', '0', { drainMs: 0 }],
  ['SHUTDOWN_SECONDS', '25', { shutdownMs: 25_000 }],
  ['RATE_LIMIT_PER_SECOND', '50', { rateLimit: { perSecond: 50, burst: 100 } }],
  ['MAX_IN_FLIGHT', '1', { maxInFlight: 1 }],
  ['METRICS_PORT', '9100', { metricsPort: 9_100 }],
  ['METRICS_HOST', '0.0.0.0', { metricsHost: '0.0.0.0' }],
  ['CORS_ORIGINS', 'https://a.example', { corsOrigins: ['https://a.example'] }],
  ['CORS_ORIGINS', 'https://a.example, http://b:81', { corsOrigins: ['https://a.example', 'http://b:81'] }],
  ['GET_PET', 'off', { getPetEnabled: false }],
  ['GET_PET', 'on', { getPetEnabled: true }],
  ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
]

const SECONDS = (min: number): string => `a number of seconds from ${min} to 86400`
const PORT = 'an integer from 0 to 65535'

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toEqual(E.right(DEFAULTS))
  })

  it('takes an empty variable for an absent one, and ignores unknown ones', () => {
    const names = ['HOST', 'PORT', 'PUBLIC_URL', 'STORE', 'MONGODB_URI', 'CORS_ORIGINS', 'LOG_LEVEL', 'DRAIN_SECONDS']
    const empty = Object.fromEntries(names.map((name) => [name, '']))
    expect(readConfig({ ...empty, PROT: '80', port: '80' })).toEqual(E.right(DEFAULTS))
  })

  it.each(GOOD)('takes %s=%s', (name, value, changed) => {
    expect(readConfig({ [name]: value })).toEqual(E.right({ ...DEFAULTS, ...changed }))
  })

  it('has a case above for each setting', () => {
    // a burst changes nothing without a rate, and has a test of its own
    const names = new Set([...GOOD.map(([name]) => name), 'RATE_LIMIT_BURST'])
    expect(names).toEqual(new Set(SETTING_NAMES))
  })

  it('prefers STORE to what MONGODB_URI would mean', () => {
    const config = readConfig({ STORE: 'embedded', MONGODB_URI: 'mongodb://a/pets' })
    expect(config).toMatchObject({ right: { store: { _tag: 'embedded' } } })
  })

  it.each<[string, readonly string[], string]>([
    ['PORT', ['x', '-1', '65536', '80.0', ' 80', '8e1', '0x50', '99999999999999999999'], PORT],
    ['METRICS_PORT', ['x', '65536'], PORT],
    [
      'PUBLIC_URL',
      [
        'pets.example/v1',
        'ftp://a/v1',
        'https://a',
        'https://a/v1/',
        'https://a/v2',
        'https://a/v1?x',
        'https://[/v1',
        'https:///v1',
      ],
      'an absolute http or https URL that ends with /v1',
    ],
    ['STORE', ['mongo', 'Memory', 'embedded '], 'one of embedded, mongodb, memory'],
    ['BODY_LIMIT_BYTES', ['0', '1MB', '-1', '1073741825'], 'an integer from 1 to 1073741824'],
    ['REQUEST_TIMEOUT_SECONDS', ['0', '0.05', '-1', '10s', 'Infinity', '86401', 'NaN'], SECONDS(0.1)],
    ['MAX_IN_FLIGHT', ['0', '1.5', 'none'], 'an integer from 1 to 1000000'],
    ['RATE_LIMIT_PER_SECOND', ['0', '0.5', '10/s'], 'an integer from 1 to 1000000'],
    ['RATE_LIMIT_BURST', ['0', '-1'], 'an integer from 1 to 2000000'],
    [
      'EVENTS_TYPE_PREFIX',
      ['.', 'org.', '.org', 'org..pets', 'org.*', 'org.>', 'org pets', 'org/pets', 'x'.repeat(201)],
      'words of letters, digits, - and _, joined by dots, such as org.example (200 characters at most)',
    ],
    ['DRAIN_SECONDS', ['-1', '1,5', '1e3', '.5'], SECONDS(0)],
    ['SHUTDOWN_SECONDS', ['x', '86400.1'], SECONDS(0)],
    [
      'CORS_ORIGINS',
      ['*', 'shop.example', 'https://a/', 'https://a/path', 'https://A', 'https://a,', 'null', 'https://a:443'],
      'origins like https://shop.example, separated by commas',
    ],
    ['GET_PET', ['OFF', 'no', 'true'], 'one of on, off'],
    ['LOG_LEVEL', ['verbose', 'INFO'], 'one of fatal, error, warn, info, debug, trace, silent'],
  ])('refuses a bad %s in one line: name, got, wanted', (name, values, wanted) => {
    for (const value of values) {
      expect(readConfig({ [name]: value })).toEqual(E.left([`${name}: got ${JSON.stringify(value)}, wanted ${wanted}`]))
    }
  })

  it.each<[string, readonly string[], string]>([
    [
      'MONGODB_URI',
      [
        'mongodb://u:hunter2@a',
        'mongodb://u:hunter2@a/',
        'http://u:hunter2@a/pets',
        'hunter2',
        'mongodb://u:hunter2/pets',
        'mongodb://u:hunt@er2@a/pets',
        'mongodb://u:hunt/er2@a/pets',
        'mongodb://a:port/pets',
        'mongodb://u:hunter2@/pets',
      ],
      'mongodb://… or mongodb+srv://… with the name of a database',
    ],
    [
      'EVENTS_URL',
      ['http://u:hunter2@a', 'nats://', 'hunter2', 'nats://u:hunter2@a b', 'nats://?hunter2', 'nats://u:hunter2%zz@a'],
      'nats://… or tls://…',
    ],
  ])('never shows the value of %s', (name, values, wanted) => {
    for (const value of values) {
      const line = `${name}: got a value that is not shown, wanted ${wanted}`
      expect(readConfig({ [name]: value })).toEqual(E.left([line]))
    }
  })

  it.each(['PUBLIC_URL', 'CORS_ORIGINS', 'PORT', 'STORE'])('shows no password that came into %s by mistake', (name) => {
    const problems = readConfig({ [name]: 'https://user:hunter2@a.example/v1' })
    expect(problems).toEqual(E.left([expect.stringMatching(`^${name}: got a value that is not shown, wanted `)]))
  })

  it('names every problem, one a line', () => {
    const problems = readConfig({ PORT: 'x', STORE: 'mongodb', GET_PET: 'maybe' })
    expect(problems).toEqual(
      E.left([
        `PORT: got "x", wanted ${PORT}`,
        'MONGODB_URI: got nothing, wanted mongodb://… or mongodb+srv://… with the name of a database, because STORE is mongodb',
        'GET_PET: got "maybe", wanted one of on, off',
      ]),
    )
  })

  it('takes a burst beside the rate that it belongs to', () => {
    expect(readConfig({ RATE_LIMIT_PER_SECOND: '10', RATE_LIMIT_BURST: '5' })).toMatchObject({
      right: { rateLimit: { perSecond: 10, burst: 5 } },
    })
    expect(readConfig({ RATE_LIMIT_BURST: '5' })).toEqual(
      E.left([
        'RATE_LIMIT_PER_SECOND: got nothing, wanted an integer from 1 to 1000000, because RATE_LIMIT_BURST is set',
      ]),
    )
  })
})

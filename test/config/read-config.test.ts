import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { type Config, readConfig } from '../../src/config/config.js'
import type { NatsUrl } from '../../src/config/parsers.js'
import { SETTING_NAMES } from '../../src/config/settings.js'

const DEFAULTS: Config = {
  host: '127.0.0.1',
  port: 8_080,
  publicUrl: undefined,
  store: { _tag: 'embedded', directory: './data' },
  events: undefined,
  eventsTypePrefix: 'org.animal-store',
  mongodbVariable: 'MONGODB_URI',
  maxBodyBytes: 65_536,
  requestTimeoutMs: 10_000,
  drainMs: 500,
  shutdownMs: 10_000,
  rateLimit: undefined,
  maxInFlight: 1_000,
  maxConnections: 10_000,
  maxStreams: 1_000,
  metricsHost: '127.0.0.1',
  metricsPort: undefined,
  corsOrigins: [],
  getPetEnabled: true,
  trustedProxies: 0,
  logLevel: 'info',
}

const mongodb = (uri: string): Partial<Config> => ({ store: { _tag: 'mongodb', uri } })

type Case = readonly [name: string, value: string, changed: Partial<Config>]

const nats = (text: string, given: Partial<NatsUrl> & Pick<NatsUrl, 'servers'>): Case => [
  'EVENTS_URL',
  text,
  { events: { _tag: 'Nats', isTls: false, ...given } },
]

const GOOD: readonly Case[] = [
  ...['::', 'fe80::1%eth0', 'localhost.', 'my_host-1.example'].map((host): Case => ['HOST', host, { host }]),
  ['PORT', '0', { port: 0 }],
  ['PORT', '65535', { port: 65_535 }],
  ['PUBLIC_URL', 'https://pets.example/store/v1', { publicUrl: 'https://pets.example/store/v1' }],
  ['STORE', 'memory', { store: { _tag: 'memory' } }],
  ['DATA_DIR', '/var/lib/pets', { store: { _tag: 'embedded', directory: '/var/lib/pets' } }],
  ...['mongodb://u:p@a,b/pets?w=1', 'mongodb://[::1]:27017,b:1/pets', 'mongodb+srv://a/pets'].map(
    (uri): Case => ['MONGODB_URI', uri, mongodb(uri)],
  ),
  nats('nats://a', { servers: ['a:4222'] }),
  nats('TLS://A:80', { servers: ['a:80'], isTls: true }),
  nats('nats://u:p%2C%40@a:4222', { servers: ['a:4222'], login: { user: 'u', pass: 'p,@' } }),
  nats('nats://to%2Fken@[::1]:4223', { servers: ['[::1]:4223'], login: { token: 'to/ken' } }),
  nats('nats://a?creds=/run/a.creds', { servers: ['a:4222'], credentialsFile: '/run/a.creds' }),
  nats('tls://a, tls://b,a:4222', { servers: ['a:4222', 'b:4222'], isTls: true }),
  nats('nats://u:p@a,b,nats://u:p@c', { servers: ['a:4222', 'b:4222', 'c:4222'], login: { user: 'u', pass: 'p' } }),
  nats('nats://a,b?creds=/run/a.creds', { servers: ['a:4222', 'b:4222'], credentialsFile: '/run/a.creds' }),
  ['EVENTS_TYPE_PREFIX', 'org.example-2.pets_v1', { eventsTypePrefix: 'org.example-2.pets_v1' }],
  ['BODY_LIMIT_BYTES', '1048576', { maxBodyBytes: 1_048_576 }],
  ['REQUEST_TIMEOUT_SECONDS', '0.5', { requestTimeoutMs: 500 }],
  ['DRAIN_SECONDS', '0', { drainMs: 0 }],
  ['SHUTDOWN_SECONDS', '25', { shutdownMs: 25_000 }],
  ['RATE_LIMIT_PER_SECOND', '50', { rateLimit: { perSecond: 50, burst: 100 } }],
  ['MAX_IN_FLIGHT', '1', { maxInFlight: 1 }],
  ['MAX_CONNECTIONS', '50', { maxConnections: 50 }],
  ['MAX_STREAMS', '0', { maxStreams: 0 }],
  ['METRICS_PORT', '9100', { metricsPort: 9_100 }],
  ['METRICS_HOST', '0.0.0.0', { metricsHost: '0.0.0.0' }],
  ['CORS_ORIGINS', 'https://a.example, http://b:81', { corsOrigins: ['https://a.example', 'http://b:81'] }],
  ['GET_PET', 'off', { getPetEnabled: false }],
  ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
  ['TRUSTED_PROXIES', '2', { trustedProxies: 2 }],
]

describe('readConfig', () => {
  it('works without any variable [settings]', () => {
    expect(readConfig({})).toEqual(E.right(DEFAULTS))
  })

  it('treats an empty variable as absent, and ignores unknown ones', () => {
    const names = ['HOST', 'PORT', 'PUBLIC_URL', 'STORE', 'MONGODB_URI', 'CORS_ORIGINS', 'LOG_LEVEL', 'DRAIN_SECONDS']
    const empty = Object.fromEntries(names.map((name) => [name, '']))
    expect(readConfig({ ...empty, PROT: '80', port: '80' })).toEqual(E.right(DEFAULTS))
  })

  it.each(GOOD)('accepts %s=%s', (name, value, changed) => {
    expect(readConfig({ [name]: value })).toEqual(E.right({ ...DEFAULTS, ...changed }))
  })

  it('has a case above for each setting [settings]', () => {
    // a burst needs a rate and a secret needs a webhook; both have separate tests
    const names = new Set([...GOOD.map(([name]) => name), 'RATE_LIMIT_BURST', 'EVENTS_SECRET'])
    expect(names).toEqual(new Set(SETTING_NAMES))
  })

  it('prefers STORE to MONGODB_URI', () => {
    const config = readConfig({ STORE: 'embedded', MONGODB_URI: 'mongodb://a/pets' })
    expect(config).toMatchObject({ right: { store: { _tag: 'embedded' } } })
  })

  it('refuses one port for requests and metrics, whatever the host: one may be all addresses of the other', () => {
    for (const others of [{}, { HOST: '0.0.0.0' }, { METRICS_HOST: '::' }])
      expect(readConfig({ PORT: '9000', METRICS_PORT: '9000', ...others })).toEqual(
        E.left(['METRICS_PORT: got "9000", wanted another port than PORT']),
      )
    for (const port of ['9001', '0'])
      expect(readConfig({ PORT: port, METRICS_PORT: port === '0' ? '0' : '9000' })).toMatchObject({ _tag: 'Right' })
  })

  it('accepts a burst only with a rate', () => {
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

// Every bad value is reported in one line: the variable, the value and what was expected, but never a password.
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.js'
import { SETTINGS } from '../../src/config/settings.js'

const SECONDS = (min: number): string => `a number of seconds from ${min} to 86400`
const PORT = 'an integer from 0 to 65535'

const REFUSED: readonly (readonly [name: string, values: readonly string[], wanted: string])[] = [
  ['PORT', ['x', '-1', '65536', '80.0', ' 80', '8e1', '0x50', '99999999999999999999'], PORT],
  ['METRICS_PORT', ['x', '65536'], PORT],
  [
    'HOST',
    ['not a host', 'http://a', 'a/b', 'a:80', '127.0.0.1:80', '999.9.9.9', '%25', 'a%b'],
    'a host name or an IP address',
  ],
  ['METRICS_HOST', ['a b'], 'a host name or an IP address'],
  [
    'PUBLIC_URL',
    [
      'ftp://a/v1',
      'https://a/v2',
      'https://a/v1?x',
      'https:///v1',
      'https://\u4f8b\u3048.example/v1',
      'https://a"b/v1',
    ],
    'an absolute http or https URL in ASCII that ends with /v1',
  ],
  ['DATA_DIR', ['~', '~/pets', 'file:/pets'], 'the path of a folder, without ~'],
  ['STORE', ['mongo', 'Memory', 'embedded '], 'one of embedded, mongodb, memory'],
  ['BODY_LIMIT_BYTES', ['0', '1MB', '-1', '1048577'], 'an integer from 1 to 1048576'],
  ['REQUEST_TIMEOUT_SECONDS', ['0', '0.05', '-1', '10s', 'Infinity', '86401', 'NaN'], SECONDS(0.1)],
  ['MAX_IN_FLIGHT', ['0', '1.5', 'none'], 'an integer from 1 to 1000000'],
  ['MAX_CONNECTIONS', ['0', '-1', 'none'], 'an integer from 1 to 1000000'],
  ['MAX_STREAMS', ['-1', '1.5', 'none'], 'an integer from 0 to 1000000'],
  ['RATE_LIMIT_PER_SECOND', ['0', '0.5', '10/s'], 'an integer from 1 to 1000000'],
  ['TRUSTED_PROXIES', ['-1', '17', 'true', '10.0.0.0/8'], 'an integer from 0 to 16'],
  ['RATE_LIMIT_BURST', ['0', '-1'], 'an integer from 1 to 2000000'],
  [
    'EVENTS_TYPE_PREFIX',
    ['org.', 'org..pets', 'org.*', 'org pets', '_INBOX', '-a', `${'x.'.repeat(100)}x`],
    'words of letters, digits, - and _ that begin with a letter or digit, joined by dots, such as org.example (200 characters at most)',
  ],
  ['DRAIN_SECONDS', ['-1', '1,5', '1e3', '.5'], SECONDS(0)],
  ['SHUTDOWN_SECONDS', ['x', '86400.1'], SECONDS(0)],
  [
    'CORS_ORIGINS',
    [
      '*',
      'https://*.example',
      'https://shop.*',
      'ws://a',
      'shop.example',
      'https://a/',
      'https://a/path',
      'https://A',
      'https://a,',
      'null',
      'https://a:443',
    ],
    'origins like https://shop.example, separated by commas',
  ],
  ['GET_PET', ['OFF', 'no', 'true'], 'one of on, off'],
  ['LOG_LEVEL', ['verbose', 'INFO'], 'one of fatal, error, warn, info, debug, trace, silent'],
]

describe('readConfig', () => {
  it('has a bad value above for each setting that is not secret', () => {
    const names = new Set(REFUSED.map(([name]) => name))
    const missing = Object.entries(SETTINGS).filter(([name, row]) => !names.has(name) && !('isSecret' in row))
    expect(missing.map(([name]) => name)).toStrictEqual([])
  })

  it.each(REFUSED)('refuses a bad %s in one line: name, got, wanted [bad-values]', (name, values, wanted) => {
    for (const value of values) {
      expect(readConfig({ [name]: value })).toEqual(E.left([`${name}: got ${JSON.stringify(value)}, wanted ${wanted}`]))
    }
  })

  const encoded = 'user and password are percent-encoded (@ as %40, / as %2F)'
  const secret = (bytes: number): string => `whsec_${'A'.repeat(bytes)}`

  it.each<readonly [name: string, values: string, wanted: string]>([
    [
      'MONGODB_URI',
      `mongodb://u:hunter2@a/ http://u:hunter2@a/pets mongodb://u:hunt@er2@a/pets mongodb://a:port/pets
       mongodb://u:hunter2@/pets mongodb://u:hunter2@a/%24pets mongodb://u:hunter2@a/${'p'.repeat(64)}`,
      `mongodb://… or mongodb+srv://… with the name of a database, such as mongodb://localhost:27017/pets; ${encoded}`,
    ],
    [
      'EVENTS_URL',
      `ftp://u:hunter2@a nats:// nats://u:hunter2%zz@a nats://u:hunter2@1.2.3.999 nats://u:hunter2@a,,b
       nats://u:hunt,er2@a nats://u:hunter2@a?creds=/run/a.creds`,
      `nats://… or tls://…, with more servers after commas, or https://… for a webhook; ${encoded}`,
    ],
    [
      'EVENTS_URL',
      'nats://u:hunter2@a,tls://b tls://u:hunter2@a,nats://b nats://a,http://u:hunter2@b',
      'one scheme for all servers',
    ],
    [
      'EVENTS_URL',
      // the last value has a comma in its password, which looks like a server and a token
      'nats://u:hunter2@a,u:hunter3@b nats://hunter2@a,b?creds=/run/a.creds nats://a,hunter2@b nats://u:12,hunter2@a',
      'credentials at the first server, for all of them',
    ],
    [
      'EVENTS_URL',
      `https://u:hunter2@a https:// https:hunter2 https://a/#hunter2 https://a:hunter2 https://1.2.3.999/hunter2
       https://h\u00f6oks.example/hunter2`,
      'https://… without user, password and fragment, with %40 for each @',
    ],
    [
      'EVENTS_URL',
      'http://hooks.example/hunter2 http://10.0.0.1/ http://localhost.hooks.example http://nolocalhost http://127.0.0.1.hooks.example http://hooks.127.0.0.1.example',
      'https://…, because http:// is for webhooks on this machine',
    ],
    [
      'EVENTS_SECRET',
      `whsec_hunter2 ${[31, 28, 88].map(secret).join(' ')} ${'A'.repeat(32)} ${secret(32)},
       ${Array.from({ length: 3 }, () => secret(32)).join()}`,
      'one or two whsec_…, separated by a comma or white space, each with 24 to 64 bytes in base64',
    ],
  ])('never shows the value of %s [bad-values]', (name, values, wanted) => {
    for (const value of values.split(/\s+/)) {
      const line = `${name}: got (hidden), wanted ${wanted}`
      expect(readConfig({ [name]: value })).toEqual(E.left([line]))
    }
  })

  it.each(['aA0'.repeat(16), 'whsec_a+/b', 'https://user:hunter2@a.example/v1'])(
    'shows no secret that another variable got by mistake: %s',
    (secret) => {
      const problems = readConfig({ PORT: secret })
      expect(problems).toEqual(E.left([expect.stringMatching(/^PORT: got \(hidden\), wanted /)]))
    },
  )

  it('lists every problem, one per line [bad-values]', () => {
    const problems = readConfig({ PORT: 'x', STORE: 'mongodb', GET_PET: 'maybe' })
    expect(problems).toEqual(
      E.left([
        `PORT: got "x", wanted ${PORT}`,
        'GET_PET: got "maybe", wanted one of on, off',
        'MONGODB_URI: got nothing, wanted mongodb://… or mongodb+srv://… with the name of a database, such as mongodb://localhost:27017/pets; user and password are percent-encoded (@ as %40, / as %2F), because STORE is mongodb',
      ]),
    )
  })
})

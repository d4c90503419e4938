// Requests that cost the service much for what they cost the client.
import { authorization, framedPost, get, post } from '../support/http/raw-requests.js'
import type { Target } from './target.js'

const CHUNK = '1\r\n \r\n'
export const BYTES_PER_CHUNK = CHUNK.length

/** A create whose body arrives one byte at a time. */
export const inOneByteChunks = (key: string, chunks: number): string =>
  `${framedPost(key, 'Transfer-Encoding: chunked\r\n')}${CHUNK.repeat(chunks)}0\r\n\r\n`

const LONGEST_NAME = '\u{1F600}'.repeat(256)
const LARGEST_LIMIT = 100

/** Makes `limit=100` the longest response that a request with a key can ask for. */
export const seedLargestPage = async ({ call }: Pick<Target, 'call'>): Promise<void> => {
  const body = JSON.stringify({ name: LONGEST_NAME, categoryId: 1 })
  for (let count = 0; count < LARGEST_LIMIT; count += 1) await call('POST', '/v1/pets', { body })
}

export interface HeavyRequest {
  readonly name: string
  readonly textOf: (key: string) => string
}

/** The sizes of bodies: the default of BODY_LIMIT_BYTES, and the largest that it may be. */
const SIZES = [
  ['64 KiB', 65_536],
  ['1 MiB', 1_048_576],
] as const

/** Bodies that take long to parse, for their bytes: what comes first, what is repeated, what comes last. */
const BODIES: readonly (readonly [name: string, first: string, unit: (n: number) => string, last: string])[] = [
  ['names', '{"name":""', (n) => `,"${n.toString(36)}":1`, '}'],
  ['escaped names', '{"name":""', (n) => `,"\\u006d${n}":1`, '}'],
  ['escaped names one level down', '{"name":{"":1', (n) => `,"\\u006d${n}":1`, '}}'],
  ['objects of two names', '{"name":[1', () => ',{"\\u0061":1,"b":2}', ']}'],
  ['empty arrays', '[1', () => ',[]', ']'],
  ['long integers', '{"name":[1', () => ',9223372036854775807', ']}'],
  ['fractions', '[1', () => ',1.5', ']'],
  ['one escaped name', '{"name":"', () => '\\u0061', '"}'],
]

const filled = (first: string, unit: (n: number) => string, last: string, size: number): string => {
  const parts = [first]
  for (let n = 0, left = size - first.length - last.length; ; n += 1) {
    const part = unit(n)
    left -= part.length
    if (left < 0) return parts.join('') + last
    parts.push(part)
  }
}

const bodies = SIZES.flatMap(([label, size]) =>
  BODIES.map(
    ([name, first, unit, last]): HeavyRequest => ({
      name: `key: a create, ${label} of ${name}`,
      textOf: (key) => post(key, filled(first, unit, last, size)),
    }),
  ),
)

const ids = Array.from({ length: 100 }, (_, n) => `id=${n}`).join('&')

/** What costs the service most for its bytes, or holds others up. */
export const HEAVY_REQUESTS: readonly HeavyRequest[] = [
  { name: 'no key: `GET /` in 27 bytes', textOf: () => get('/') },
  { name: 'no key: `GET /docs/swagger-ui-bundle.js`', textOf: () => get('/docs/swagger-ui-bundle.js') },
  { name: 'no key: `GET /openapi.json`', textOf: () => get('/openapi.json') },
  { name: 'no key: `GET /v1/pets`', textOf: () => get('/v1/pets') },
  { name: 'no key: a key that nobody has', textOf: (key) => get('/v1/pets', authorization(`${key.slice(0, -1)}-`)) },
  { name: 'no key: 90 short headers', textOf: () => get('/', 'a: b\r\n'.repeat(90)) },
  { name: 'no key: a create in chunks of one byte', textOf: () => inOneByteChunks('x', 10_000) },
  { name: 'key: 100 pets with the longest names', textOf: (key) => get('/v1/pets?limit=100', authorization(key)) },
  {
    name: 'key: 100 pets, counted',
    textOf: (key) => get('/v1/pets?limit=100', `${authorization(key)}Prefer: count=exact\r\n`),
  },
  { name: 'key: 100 pets by their ids', textOf: (key) => get(`/v1/pets?limit=100&${ids}`, authorization(key)) },
  { name: 'key: 15 kB of parameters', textOf: (key) => get(`/v1/pets?${'a&'.repeat(7_500)}`, authorization(key)) },
  { name: 'key: the smallest create', textOf: (key) => post(key) },
  { name: 'key: a create in chunks of one byte', textOf: (key) => inOneByteChunks(key, 2_000) },
  ...bodies,
]

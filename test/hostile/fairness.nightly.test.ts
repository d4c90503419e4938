// One stranger with up to 1,000 connections and 50 MB: others are accepted and answered meanwhile, and memory stays small.
import { setTimeout as pause } from 'node:timers/promises'
import { authorization, BODY, framedPost, get, post } from '../support/http/raw-requests.js'
import { type Attack, describeAttacks } from './attack.js'
import type { Target } from './target.js'

const WITHOUT_KEY_MS = 1_000
const WITH_KEY_MS = 5_000
const GROWTH_MIB = 150
/**
 * The durable store, so that created pets do not count as memory. And the heap that Node chooses in a container of
 * 512 MiB: on a larger machine it collects garbage later, and growth would tell how much memory the machine has.
 */
const ENVIRONMENT = { STORE: 'embedded', NODE_OPTIONS: '--max-old-space-size=256' }
const MB = 1_000_000
const MANY = 1_000
const TOTAL_BYTES = 50 * MB
const LASTS_MS = 3_000

const CHUNK = '1\r\n \r\n'
const BYTES_PER_CHUNK = CHUNK.length

/** A create whose body arrives one byte at a time. */
const inOneByteChunks = (key: string, chunks: number): string =>
  `${framedPost(key, 'Transfer-Encoding: chunked\r\n')}${CHUNK.repeat(chunks)}0\r\n\r\n`

const LONGEST_NAME = '\u{1F600}'.repeat(256)
const LARGEST_LIMIT = 100

/** Makes `limit=100` the longest response that a request with a key can ask for. */
const seedLargestPage = async ({ call }: Pick<Target, 'call'>): Promise<void> => {
  const body = JSON.stringify({ name: LONGEST_NAME, categoryId: 1 })
  for (let count = 0; count < LARGEST_LIMIT; count += 1) await call('POST', '/v1/pets', { body })
}

interface Flood {
  readonly name: string
  readonly connections: number
  /** Bytes that each connection sends. */
  readonly bytes: number
  readonly textOf: (key: string) => string
  readonly isRead: boolean
  readonly withKey: boolean
}

const flood = ({ name, connections, bytes, textOf, isRead, withKey }: Flood): Attack => ({
  attack: `${connections} connections with ${Math.round(bytes / 1_000)} kB of ${name} each, ${isRead ? 'all' : 'nothing'} read`,
  holds: 'others are answered in time, and it takes little memory',
  liveWithinMs: withKey ? WITH_KEY_MS : WITHOUT_KEY_MS,
  growthMiB: GROWTH_MIB,
  run: async (target) => {
    if (withKey) await seedLargestPage(target)
    const one = textOf(target.key)
    const text = one.repeat(Math.max(1, Math.floor(bytes / one.length)))
    await Promise.all(
      Array.from({ length: connections }, async () => {
        const socket = await target.open()
        if (isRead) socket.resume()
        else socket.pause()
        socket.write(text, 'latin1')
      }),
    )
    await pause(LASTS_MS)
  },
})

const chunks = (rest: Pick<Flood, 'connections' | 'bytes' | 'withKey'>): Attack => {
  const textOf = (key: string): string =>
    inOneByteChunks(rest.withKey ? key : 'x', Math.floor(rest.bytes / BYTES_PER_CHUNK))
  return flood({ name: 'chunks of one byte', textOf, isRead: true, ...rest })
}
const page = (key: string): string => get('/v1/pets?limit=100', authorization(key))
const noPage = (): string => get('/v1/pets')
const large = (key: string): string => post(key, BODY.padEnd(60_000))
const smallest = (): string => get('/')
const bundle = (): string => get('/docs/swagger-ui-bundle.js')

const EACH = TOTAL_BYTES / MANY
const [noKey, withKey] = [{ withKey: false }, { withKey: true }]
const [read, unread] = [{ isRead: true }, { isRead: false }]

const attacks: readonly Attack[] = [
  flood({ name: 'requests of 27 bytes', connections: 40, bytes: 64_800, textOf: smallest, ...read, ...noKey }),
  flood({ name: 'requests of 27 bytes', connections: 1, bytes: TOTAL_BYTES, textOf: smallest, ...read, ...noKey }),
  flood({ name: 'requests of 27 bytes', connections: 40, bytes: 10 * MB, textOf: smallest, ...read, ...noKey }),
  flood({ name: 'requests of 27 bytes', connections: MANY, bytes: EACH, textOf: smallest, ...read, ...noKey }),
  flood({ name: 'the largest file', connections: 50, bytes: 5_000, textOf: bundle, ...read, ...noKey }),
  flood({ name: 'the largest file', connections: MANY, bytes: 100, textOf: bundle, ...unread, ...noKey }),
  flood({ name: 'the largest file', connections: 8, bytes: 60_000, textOf: bundle, ...unread, ...noKey }),
  flood({ name: 'pages without a key', connections: 8, bytes: 60_000, textOf: noPage, ...unread, ...noKey }),
  chunks({ connections: 150, bytes: 360_000, ...noKey }),
  flood({ name: 'pages of 100 pets', connections: 50, bytes: 15_000, textOf: page, ...read, ...withKey }),
  flood({ name: 'pages of 100 pets', connections: 50, bytes: 15_000, textOf: page, ...unread, ...withKey }),
  flood({ name: 'pages of 100 pets', connections: MANY, bytes: EACH, textOf: page, ...unread, ...withKey }),
  flood({ name: 'creates of 60 kB', connections: 8, bytes: 10 * MB, textOf: large, ...unread, ...withKey }),
  flood({ name: 'creates', connections: MANY, bytes: EACH, textOf: (key) => post(key), ...read, ...withKey }),
  chunks({ connections: 1, bytes: 6_300_000, ...withKey }),
  chunks({ connections: MANY, bytes: EACH, ...withKey }),
]

// each on a separate process: memory left by one must not hide what the next one takes
for (const attack of attacks) describeAttacks('fairness', ENVIRONMENT, [attack])

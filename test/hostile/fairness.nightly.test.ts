// One client with up to 1,000 connections and 65 MB: memory stays bounded, and the service answers again when the flood ends.
import { setTimeout as pause } from 'node:timers/promises'
import { authorization, BODY, framedPost, get, post } from '../support/http/raw-requests.js'
import { type Attack, describeAttacks } from './attack.js'
import type { Target } from './target.js'

/** While a flood lasts, others wait (docs/security.md). */
const LIVE_WITHIN_MS = 60_000
const GROWTH_MIB = 150
/**
 * The store on disk keeps created pets out of the memory measurement. The heap limit is Node's default in a 512 MiB
 * container: with more memory, Node collects garbage later, so growth would depend on the machine.
 */
const ENVIRONMENT = { STORE: 'embedded', NODE_OPTIONS: '--max-old-space-size=256' }
const MB = 1_000_000
const MANY = 1_000
const TOTAL_BYTES = 50 * MB
const LASTS_MS = 3_000

const CHUNK = '1\r\n \r\n'

const inOneByteChunks = (key: string, chunks: number): string =>
  `${framedPost(key, 'Transfer-Encoding: chunked\r\n')}${CHUNK.repeat(chunks)}0\r\n\r\n`

/** Makes `limit=100` the longest response that a key can request. */
const seedLargestPage = async ({ call }: Pick<Target, 'call'>): Promise<void> => {
  const body = JSON.stringify({ name: '\u{1F600}'.repeat(256), categoryId: 1 })
  for (let count = 0; count < 100; count += 1) await call('POST', '/v1/pets', { body })
}

const flood = (
  name: string,
  connections: number,
  bytes: number,
  textOf: (key: string) => string,
  isRead: boolean,
  withKey: boolean,
): Attack => ({
  attack: `${connections} connections with ${Math.round(bytes / 1_000)} kB of ${name} each, ${isRead ? 'all' : 'nothing'} read`,
  holds: 'the service survives it with little memory',
  liveWithinMs: LIVE_WITHIN_MS,
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

const emptyLines = (key: string): string =>
  `${framedPost(key, 'Transfer-Encoding: chunked\r\n')}ea60\r\n${'\r\n'.repeat(30_000)}\r\n`
const page = (key: string): string => get('/v1/pets?limit=100', authorization(key))
const noPage = (): string => get('/v1/pets')
const large = (key: string): string => post(key, BODY.padEnd(60_000))
const smallest = (): string => get('/')
const bundle = (): string => get('/docs/swagger-ui-bundle.js')

/** As much as Node reads at once. */
const READ_BYTES = 65_536
/** Just below the limit of a head. */
const ENDLESS_HEAD_BYTES = 16_300
const ended = (lines: string, rest: string): string => `GET / HTTP/1.1\r\nHost: a\r\n${lines}\r\n${rest}`
const behindUpgrade = (): string => ended('Connection: Upgrade\r\nUpgrade: h2c\r\n', smallest().repeat(2_400))
const behindStream = (key: string): string =>
  get('/v1/events', `Accept: text/event-stream\r\n${authorization(key)}`) + smallest().repeat(300_000)
const endlessHead = (): string => `GET / HTTP/1.1\r\n${'ab:cd\r\n'.repeat(ENDLESS_HEAD_BYTES / 7)}`
const chunksOf = (key: string): string => inOneByteChunks(key, Math.floor(EACH / CHUNK.length))

const EACH = TOTAL_BYTES / MANY
const [READ, UNREAD] = [true, false]
const [KEY, NO_KEY] = [true, false]

const attacks: readonly Attack[] = [
  flood('requests of 27 bytes', 1, TOTAL_BYTES, smallest, READ, NO_KEY),
  flood('requests of 27 bytes', MANY, EACH, smallest, READ, NO_KEY),
  flood('requests of 27 bytes', MANY, READ_BYTES, smallest, READ, NO_KEY),
  flood('requests behind an upgrade', MANY, READ_BYTES, behindUpgrade, READ, NO_KEY),
  flood('requests behind a stream', 1, 8 * MB, behindStream, READ, KEY),
  flood('a head that never ends', 1_600, ENDLESS_HEAD_BYTES, endlessHead, READ, NO_KEY),
  flood('chunks of one byte', MANY, EACH, () => chunksOf(''), READ, NO_KEY),
  flood('empty lines', MANY, EACH, () => '\r\n', READ, NO_KEY),
  flood('the largest file', 50, 5_000, bundle, READ, NO_KEY),
  flood('pages without a key', 8, 60_000, noPage, UNREAD, NO_KEY),
  flood('pages of 100 pets', 50, 15_000, page, READ, KEY),
  flood('pages of 100 pets', MANY, EACH, page, UNREAD, KEY),
  flood('creates of 60 kB', 8, 10 * MB, large, UNREAD, KEY),
  flood('creates', MANY, EACH, (key) => post(key), READ, KEY),
  flood('chunks of one byte', MANY, EACH, chunksOf, READ, KEY),
  flood('a body of empty lines', 100, 240_000, emptyLines, READ, KEY),
]

// One process per attack: memory left by one must not hide the growth of the next
for (const attack of attacks) describeAttacks('fairness', ENVIRONMENT, [attack])

// Clients that send many requests ahead of the responses: the requests in flight per connection are bounded.
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { readAll, responsesIn } from '../support/http/raw.js'
import { authorization, get, post } from '../support/http/raw-requests.js'
import { byNight } from '../support/runner/night.js'
import { type Attack, describeAttacks } from './attack.js'
import { seedLargestPage } from './heavy-requests.js'

const CONNECTIONS = 8
const REQUESTS = 1_100
const UNREAD_MS = 1_500

const page = (key: string): string => get('/v1/pets?limit=100', authorization(key))

const unread = (name: string, requestOf: (key: string) => string, requests = REQUESTS): Attack => ({
  attack: `${CONNECTIONS} connections with ${requests} pipelined ${name} each, and nothing read`,
  holds: 'they take little memory',
  run: async (target) => {
    await seedLargestPage(target)
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, target.open))
    const text = requestOf(target.key).repeat(requests)
    for (const socket of sockets) socket.pause().write(text)
    await pause(UNREAD_MS)
  },
})

/** Only memory tells whether they hold. */
const unreadAttacks: readonly Attack[] = [
  unread('GET /docs/swagger-ui-bundle.js', () => get('/docs/swagger-ui-bundle.js')),
  unread('pages of 100 pets', page),
  unread('pages without a key', () => get('/v1/pets')),
  unread('creates of 200 kB', (key) => post(key, `{"name":"a","categoryId":1}${' '.repeat(200_000)}`), 50),
]

const attacks: readonly Attack[] = [
  ...byNight(unreadAttacks, []),
  {
    attack: `a connection with ${REQUESTS} pipelined pages that it reads`,
    holds: 'it gets the first eight, and the connection ends',
    run: async (target) => {
      await seedLargestPage(target)
      const socket = await target.open()
      const all = readAll(socket)
      socket.write(page(target.key).repeat(REQUESTS))
      const statuses = responsesIn(await all).map(({ status }) => status)
      expect(statuses).toEqual(Array.from({ length: 8 }, () => 200))
    },
  },
]

// each on a separate process: memory left by one must not hide what the next one takes
for (const attack of attacks) describeAttacks('pipelining', { BODY_LIMIT_BYTES: '1048576' }, [attack])

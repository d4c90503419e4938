// Expensive bodies up to the limit: each gets its status, and stores nothing.
import { expect } from 'vitest'
import { readAll, responsesIn } from '../support/http/raw.js'
import { framedPost } from '../support/http/raw-requests.js'
import { type Attack, describeAttacks } from './attack.js'
import { cpuTicks } from './process-status.js'
import type { Target } from './target.js'

const LIMIT = 1_048_576

/** A body of exactly the limit, with the middle filled by a unit. */
const filled = (before: string, unit: string, after: string): string => {
  const room = LIMIT - before.length - after.length
  const middle = unit.repeat(Math.floor(room / unit.length))
  return (before + middle).padEnd(LIMIT - after.length, ' ') + after
}

/** Fewer members than fit into the body, all with different names. */
const members = (count: number): string => Array.from({ length: count }, (_, at) => `,"m${at}":${at}`).join('')

/** Names that fall into one bucket of a hash table if numbers are their own hashes, as in Node.js before March 2026. */
const multiples = (count: number): string =>
  Array.from({ length: count }, (_, at) => `,"${(at + 1) * 65_536}":1`).join('')

const bomb = (name: string, body: string, status: number, code: string): Attack => ({
  attack: name,
  holds: `it gets ${status} ${code}`,
  run: async ({ call }) => {
    expect(await call('POST', '/v1/pets', { body })).toMatchObject({ status, json: { code } })
  },
})

const ROUNDS = 3
/** 50 ms: below, what else the process does outweighs the body. */
const LEAST_TICKS = 5

/** What it costs the service until it has read all that the client sends before it sees the refusal. */
const chunkedTicks = async ({ key, open, service }: Target, bytes: number): Promise<number> => {
  const before = cpuTicks(service.pid)
  const socket = await open()
  const response = readAll(socket)
  const chunk = `ea60\r\n${' '.repeat(60_000)}\r\n`
  socket.write(framedPost(key, 'Transfer-Encoding: chunked\r\n') + chunk.repeat(bytes / 60_000))
  expect(responsesIn(await response)).toMatchObject([{ status: 413 }])
  return cpuTicks(service.pid) - before
}

describeAttacks('body bombs', { BODY_LIMIT_BYTES: String(LIMIT) }, [
  bomb('1 MiB of nested objects', filled('', '{"a":', ''), 400, 'malformed_json'),
  // the exponent keeps the runtime's own parser from the text
  bomb('1 MiB of small arrays', filled('[1e5', ',[1,1]', ']'), 400, 'validation_failed'),
  bomb(
    '1 MiB of arrays in arrays',
    filled('[1e5', `,${'['.repeat(10)}${']'.repeat(10)}`, ']'),
    400,
    'validation_failed',
  ),
  bomb('1 MiB of backslashes', filled('{"name":"', '\\\\', '\\"}'), 400, 'malformed_json'),
  bomb('a name of 1 MiB of escapes', filled('{"categoryId":1,"name":"', '\\u0061', '"}'), 400, 'validation_failed'),
  bomb('a fraction of 1 MiB', filled('{"name":"a","categoryId":1.', '0', '1}'), 400, 'validation_failed'),
  bomb('an exponent of 1 MiB', filled('{"name":"a","categoryId":1e', '9', '}'), 400, 'validation_failed'),
  bomb('1 MiB of numbers', filled('{"name":"","categoryId":1,"x":[1', ',1e400', ']} '), 400, 'validation_failed'),
  bomb('60,000 members, the last twice', `{"name":"a"${members(60_000)},"m59999":1}`, 400, 'malformed_json'),
  bomb('50,000 escaped names', `{"name":""${members(50_000).replaceAll('"m', '"\\u006d')}}`, 400, 'validation_failed'),
  bomb('60,000 names that look like numbers', `{"name":""${multiples(60_000)}}`, 400, 'validation_failed'),
  {
    attack: 'chunked bodies of 6 and of 48 MB',
    holds: 'each gets 413, and the larger one costs no more',
    run: async (target) => {
      const least = async (bytes: number): Promise<number> => {
        const costs: number[] = []
        for (let round = 0; round < ROUNDS; round += 1) costs.push(await chunkedTicks(target, bytes))
        return Math.min(...costs)
      }
      await chunkedTicks(target, 6_000_000)
      const few = await least(6_000_000)
      expect(await least(48_000_000)).toBeLessThan(4 * Math.max(few, LEAST_TICKS))
    },
  },
])

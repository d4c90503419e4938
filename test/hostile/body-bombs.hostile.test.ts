// Expensive bodies up to the size limit: each gets its status and stores nothing.
import { expect } from 'vitest'
import { type Attack, describeAttacks } from './attack.js'

const LIMIT = 1_048_576

/** A body of exactly the limit, filled with copies of `unit`. */
const filled = (before: string, unit: string, after: string): string => {
  const room = LIMIT - before.length - after.length
  const middle = unit.repeat(Math.floor(room / unit.length))
  return (before + middle).padEnd(LIMIT - after.length, ' ') + after
}

const members = (count: number): string => Array.from({ length: count }, (_, at) => `,"m${at}":${at}`).join('')

/** Names in the same hash bucket if numbers hash to themselves, as in Node.js before March 2026. */
const multiples = (count: number): string =>
  Array.from({ length: count }, (_, at) => `,"${(at + 1) * 65_536}":1`).join('')

const bomb = (name: string, body: string, status: number, code: string): Attack => ({
  attack: name,
  holds: `it gets ${status} ${code}`,
  run: async ({ call }) => {
    expect(await call('POST', '/v1/pets', { body })).toMatchObject({ status, json: { code } })
  },
})

describeAttacks('body bombs', { BODY_LIMIT_BYTES: String(LIMIT) }, [
  bomb('1 MiB of nested objects', filled('', '{"a":', ''), 400, 'malformed_json'),
  // the exponent forces our own parser instead of the runtime's
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
])

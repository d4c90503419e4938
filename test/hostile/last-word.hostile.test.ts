// No request after the last response of a connection is executed.
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { readAll, responsesIn } from '../support/http/raw.js'
import { authorization, BODY, get, post, postHead } from '../support/http/raw-requests.js'
import { type Attack, describeAttacks } from './attack.js'
import type { Target } from './target.js'

const LAST_WORDS: readonly (readonly [name: string, textOf: (key: string) => string, status: number])[] = [
  ['garbage', () => 'GARBAGE\r\n\r\n', 400],
  ['a request without Host', () => 'GET / HTTP/1.1\r\n\r\n', 400],
  ['a request with two Hosts', () => get('/health/live', 'Host: b\r\n'), 400],
  ['a create with two lengths', (key) => postHead(key, 0, 'Content-Length: 9\r\n'), 400],
  [
    'a malformed chunk',
    (key) => `${postHead(key, 0).replace('Content-Length: 0', 'Transfer-Encoding: chunked')}zz\r\n`,
    400,
  ],
  ['a head of 17 kB', () => get('/health/live', `X: ${'y'.repeat(17_000)}\r\n`), 431],
  ['101 headers', () => get('/health/live', 'X: y\r\n'.repeat(101)), 431],
  ['another expectation', () => get('/health/live', 'Expect: tea\r\n'), 417],
  ['CONNECT', () => 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
  ['Connection: close', () => get('/health/live', 'Connection: close\r\n'), 200],
  ['Expect: 100-continue without a body', () => get('/health/live', 'Expect: 100-continue\r\n'), 200],
  ['an upgrade', () => get('/health/live', 'Connection: Upgrade\r\nUpgrade: h2c\r\n'), 200],
  ['a body that nobody reads', () => `${get('/health/live', 'Content-Length: 5\r\n')}stray`, 200],
  [
    'an upgrade with a body',
    () => `${get('/v1/pets', 'Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 5\r\n')}stray`,
    401,
  ],
]

/** How many requests come before the last word: with it, at most as many as a client may send ahead. */
const AHEAD = [0, 1, 6, 7]

/** The pause between the last request and the following create. */
const GAPS: readonly (readonly [name: string, wait: (() => Promise<unknown>) | undefined])[] = [
  ['in the same bytes', undefined],
  ['at once', () => Promise.resolve()],
  ['20 ms later', () => pause(20)],
]

const total = async ({ call }: Target): Promise<string | null> =>
  (await call('GET', '/v1/pets', { headers: { Prefer: 'count=exact' } })).headers.get('X-Total-Count')

const attacks = LAST_WORDS.flatMap(([name, textOf, status]) =>
  GAPS.map(
    ([gap, wait]): Attack => ({
      attack: `creates behind ${name}, ${gap}, behind ${AHEAD.join(', ')} requests`,
      holds: 'no pet is added',
      run: async (target) => {
        const before = await total(target)
        const creates = post(target.key).repeat(3)
        const statuses = await Promise.all(
          AHEAD.map(async (count) => {
            const socket = await target.open()
            const all = readAll(socket)
            const text = get('/v1/pets?limit=1', authorization(target.key)).repeat(count) + textOf(target.key)
            if (wait === undefined) {
              socket.write(text + creates)
            } else {
              socket.write(text)
              await wait()
              if (socket.writable) socket.write(creates)
            }
            return responsesIn(await all).map((response) => response.status)
          }),
        )
        expect(statuses).toEqual(AHEAD.map((count) => [...Array.from({ length: count }, () => 200), status]))
        await pause(20)
        expect(await total(target)).toBe(before)
      },
    }),
  ),
)

/** A create that expects 100-continue and does not wait for it: it is executed, and nothing behind it. */
const unawaited: Attack = {
  attack: 'creates behind a create with Expect whose body is already there',
  holds: 'one pet is added',
  run: async (target) => {
    const before = Number(await total(target))
    const socket = await target.open()
    const all = readAll(socket)
    socket.write(post(target.key, BODY, 'Expect: 100-continue\r\n') + post(target.key).repeat(3))
    const text = await all
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 201'])
    await pause(20)
    expect(Number(await total(target))).toBe(before + 1)
  },
}

describeAttacks('the last word', {}, [...attacks, unawaited])

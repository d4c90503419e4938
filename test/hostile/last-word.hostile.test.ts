// No request after the last response of a connection is executed.
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { answersIn, readAll } from '../support/http/raw.js'
import { get, post, postHead } from '../support/http/raw-requests.js'
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
]

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
      attack: `creates behind ${name}, ${gap}`,
      holds: 'no pet is added',
      run: async (target) => {
        const before = await total(target)
        const socket = await target.open()
        const all = readAll(socket)
        const creates = post(target.key).repeat(3)
        if (wait === undefined) {
          socket.write(textOf(target.key) + creates)
        } else {
          socket.write(textOf(target.key))
          await wait()
          if (socket.writable) socket.write(creates)
        }
        expect(answersIn(await all).map((answer) => answer.status)).toEqual([status])
        await pause(20)
        expect(await total(target)).toBe(before)
      },
    }),
  ),
)

describeAttacks('the last word', {}, attacks)

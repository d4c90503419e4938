// Pipelined requests, also malformed: responses come in order, and nothing after the last one is executed.
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { listsAfter } from '../../../support/http/held-lists.js'
import { shareHttp, startHttp } from '../../../support/http/http-service.js'
import {
  expectRefused,
  expectSoleRefusal,
  openSocket,
  readAll,
  responsesIn,
  sendRaw,
} from '../../../support/http/raw.js'
import { authorization, BODY, post as create, framedPost, get, postHead } from '../../../support/http/raw-requests.js'

/** Lists take a while, so that later requests are ready first. */
const shared = shareHttp({ replace: listsAfter(() => pause(20)) })

const slow = (lines = ''): string => get('/v1/pets?limit=1', authorization(shared().key) + lines)
const unknown = (lines = ''): string => get('/nope', lines)
const post = (lines = ''): string => create(shared().key, BODY, lines)

const total = async (): Promise<number> => {
  const { headers } = await shared().call('GET', '/v1/pets', { headers: { Prefer: 'count=exact' } })
  return Number(headers.get('X-Total-Count'))
}

describe('the last request of a connection', () => {
  /** Requests before it; the last value reaches the limit of requests that a client may send ahead. */
  const AHEAD = [0, 1, 6, 7]

  /** When the creates after it are sent. */
  const GAPS: readonly (readonly [name: string, wait?: () => Promise<unknown>])[] = [
    ['in the same bytes'],
    ['at once', () => Promise.resolve()],
    ['20 ms later', () => pause(20)],
  ]

  it.each<[name: string, text: () => string, status: number, code?: string]>([
    ['garbage', () => 'GARBAGE\r\n\r\n', 400, 'bad_request'],
    ['a request with two Hosts', () => slow('Host: b\r\n'), 400, 'bad_request'],
    [
      'a malformed chunk',
      () => `${framedPost(shared().key, 'Transfer-Encoding: chunked\r\n')}zz\r\n`,
      400,
      'bad_request',
    ],
    ['a head of 17 kB', () => unknown(`X: ${'y'.repeat(17_000)}\r\n`), 431, 'headers_too_large'],
    ['another expectation', () => slow('Expect: tea\r\n'), 417, 'expectation_failed'],
    ['CONNECT', () => 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
    ['Connection: close', () => slow('Connection: close\r\n'), 200],
    ['Expect: 100-continue without a body', () => slow('Expect: 100-continue\r\n'), 200],
    ['an upgrade to h2c', () => slow('Connection: Upgrade\r\nUpgrade: h2c\r\n'), 200],
    ['a body of a GET, which nobody reads', () => `${slow('Content-Length: 5\r\n')}stray`, 200],
  ])(
    'is answered behind those before it, and creates behind it are not executed: %s',
    async (_, textOf, status, code) => {
      const before = await total()
      const ask = async (count: number, gap: string, wait?: () => Promise<unknown>) => {
        const socket = await openSocket(shared().port)
        const all = readAll(socket)
        const text = slow().repeat(count) + textOf()
        if (wait === undefined) socket.write(text + post().repeat(3))
        else {
          socket.write(text)
          await wait()
          if (socket.writable) socket.write(post().repeat(3))
        }
        const responses = responsesIn(await all)
        const expected = [...Array.from({ length: count }, () => 200), status]
        expect(
          responses.map((response) => response.status),
          `${gap}, behind ${count}`,
        ).toEqual(expected)
        expect(responses.at(-1)?.headers.get('Connection')).toBe('close')
        if (code !== undefined) expectRefused(responses.at(-1), status, code)
      }
      await Promise.all(AHEAD.flatMap((count) => GAPS.map((gap) => ask(count, ...gap))))
      await pause(20)
      expect(await total()).toBe(before)
    },
  )

  it('is a create with Expect whose body is already there: it is executed, and nothing behind it', async () => {
    const before = await total()
    const socket = await openSocket(shared().port)
    const all = readAll(socket)
    socket.write(post('Expect: 100-continue\r\n') + post().repeat(3))
    expect((await all).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 201'])
    await pause(20)
    expect(await total()).toBe(before + 1)
  })
})

describe('pipelined requests', () => {
  it('see what the ones before them have done', async () => {
    const text = `${post()}${slow()}${post()}${unknown('Connection: close\r\n')}`
    const bodies = (await sendRaw(shared().port, text)).map(({ body }) => JSON.parse(body) as { readonly id: number })
    expect(bodies[1]).toEqual([bodies[0]])
    expect(bodies[2]?.id).toBe(Number(bodies[0]?.id) + 1)
  })

  it('cause one line each in the log', async () => {
    const { port, requestLines } = await startHttp()
    await sendRaw(port, `${unknown('X-Request-Id: r1\r\n')}${unknown('Host: b\r\nX-Request-Id: r2\r\n')}`)
    await sendRaw(port, `${unknown('X-Request-Id: r3\r\n')}GARBAGE\r\n\r\n`)
    await sendRaw(port, `${framedPost('', 'X-Request-Id: r4\r\nTransfer-Encoding: chunked\r\n')}zz\r\n`)
    expect(requestLines().map(({ requestId, status }) => [requestId, status])).toEqual([
      ['r1', 404],
      ['r2', 400],
      ['r3', 404],
      [expect.any(String), 400],
      ['r4', 401],
    ])
  })
})

describe('CONNECT', () => {
  it('is refused with the id of the request, and closed [methods]', async () => {
    const lines = 'Host: a\r\nX-Request-Id: r1\r\n'
    const text = `CONNECT a:80 HTTP/1.1\r\n${lines}\r\nbytes for the tunnel`
    const response = await expectSoleRefusal(shared().port, text, 405, 'method_not_allowed')
    expect(response?.headers.get('Allow')).toBe('GET, HEAD, POST, OPTIONS')
    expect(response?.headers.get('X-Request-Id')).toBe('r1')
  })
})

it('an upgrade of a create leaves its body a body, even if that arrives later', async () => {
  const before = await total()
  const socket = await openSocket(shared().port)
  const text = readAll(socket)
  socket.write(postHead(shared().key, BODY.length, 'Connection: Upgrade\r\nUpgrade: h2c\r\n'))
  await pause(20)
  socket.write(BODY + unknown())
  expect(responsesIn(await text).map(({ status }) => status)).toEqual([201])
  expect(await total()).toBe(before + 1)
})

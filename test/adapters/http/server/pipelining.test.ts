// Pipelined requests, including malformed ones: responses come in order, one each, and none after the last.
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { listsAfter, startWithHeldLists } from '../../../support/http/held-lists.js'
import { shareHttp, startHttp } from '../../../support/http/http-service.js'
import {
  accepted,
  expectRefused,
  expectSoleRefusal,
  openSocket,
  type RawResponse,
  readAll,
  responsesIn,
  sendRaw,
} from '../../../support/http/raw.js'
import { authorization, BODY, framedPost, get } from '../../../support/http/raw-requests.js'

/** Lists take a while, so that later requests are ready first. */
const shared = shareHttp({ replace: listsAfter(() => pause(40)) })

const slow = (lines = ''): string => get('/v1/pets', authorization(shared().key) + lines)
const unknown = (lines = ''): string => get('/nope', lines)
const post = (lines = `Content-Length: ${BODY.length}\r\n`): string => framedPost(shared().key, lines)

const total = async (): Promise<number> => {
  const { headers } = await shared().call('GET', '/v1/pets', { headers: { Prefer: 'count=exact' } })
  return Number(headers.get('X-Total-Count'))
}

const idOf = (response: RawResponse | undefined): number =>
  (JSON.parse(response?.body ?? '') as { readonly id: number }).id

describe('pipelined requests', () => {
  it.each<[string, () => string, number, string]>([
    ['garbage', () => 'GARBAGE\r\n\r\n', 400, 'bad_request'],
    ['two Hosts', () => slow('Host: b\r\n'), 400, 'bad_request'],
    ['a malformed chunk', () => `${post('Transfer-Encoding: chunked\r\n')}zz\r\n`, 400, 'bad_request'],
    ['headers that are too large', () => unknown(`X: ${'y'.repeat(17_000)}\r\n`), 431, 'headers_too_large'],
    ['another expectation', () => slow('Expect: tea\r\n'), 417, 'expectation_failed'],
    ['CONNECT', () => 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method_not_allowed'],
  ])('are all answered before %s that follows is refused', async (_, broken, status, code) => {
    const responses = await sendRaw(shared().port, slow() + unknown() + broken())
    expect(responses.map((response) => response.status)).toEqual([200, 404, status])
    expectRefused(responses[2], status, code)
  })

  it('see what the ones before them have done', async () => {
    const list = get('/v1/pets?limit=1', authorization(shared().key))
    const text = `${post()}${BODY}${list}${post()}${BODY}${get('/nope', 'Connection: close\r\n')}`
    const [first, listed, second] = await sendRaw(shared().port, text)
    expect(JSON.parse(listed?.body ?? '')).toEqual([JSON.parse(first?.body ?? '')])
    expect(idOf(second)).toBe(idOf(first) + 1)
  })

  it('cause one line each in the log', async () => {
    const { port, requestLines } = await startHttp()
    await sendRaw(port, `${unknown('X-Request-Id: r1\r\n')}${unknown('Host: b\r\nX-Request-Id: r2\r\n')}`)
    await sendRaw(port, `${unknown('X-Request-Id: r3\r\n')}GARBAGE\r\n\r\n`)
    expect(requestLines().map(({ requestId, status }) => [requestId, status])).toEqual([
      ['r1', 404],
      ['r2', 400],
      ['r3', 404],
      [expect.any(String), 400],
    ])
  })
})

describe('bytes after a request', () => {
  it('are refused as a separate request; the first request is served', async () => {
    const before = await total()
    const [created, refused] = await sendRaw(shared().port, `${post()}${BODY}stray`)
    expect(created?.status).toBe(201)
    expectRefused(refused, 400, 'bad_request')
    expect(await total()).toBe(before + 1)
  })

  it('are ignored if the connection ends', async () => {
    const responses = await sendRaw(shared().port, `${unknown('Connection: close\r\n')}stray`)
    expect(responses).toHaveLength(1)
  })

  it('are the body of a GET if its headers announce one, which nobody reads: the response is the last', async () => {
    const [response, ...more] = await sendRaw(shared().port, `${slow('Content-Length: 5\r\n')}stray${unknown()}`)
    expect(response?.status).toBe(200)
    expect(response?.headers.get('Connection')).toBe('close')
    expect(more).toEqual([])
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

  it('does no harm if the client resets the connection', async () => {
    const { http, port, key, entered, release, anonymous } = await startWithHeldLists()
    const { socket, sent, closed } = await accepted(http, port)
    await sent(get('/v1/pets', authorization(key)))
    await entered(1)
    await sent('CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n')
    socket.resetAndDestroy()
    await closed
    release()
    expect((await anonymous('GET', '/health/live')).status).toBe(200)
  })
})

describe('an upgrade', () => {
  it.each(['websocket', 'h2c'])(
    'to %s is ignored: the request is answered in HTTP/1.1, as the last of its connection',
    async (protocol) => {
      const text = slow(`Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`) + unknown()
      const [response, ...more] = await sendRaw(shared().port, text)
      expect(response?.status).toBe(200)
      expect(response?.headers.get('Connection')).toBe('close')
      expect(more).toEqual([])
    },
  )

  it('of a create leaves its body a body, even if that arrives later', async () => {
    const before = await total()
    const socket = await openSocket(shared().port)
    const text = readAll(socket)
    socket.write(post(`Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: ${BODY.length}\r\n`))
    await pause(20)
    socket.write(BODY + unknown())
    expect(responsesIn(await text).map(({ status }) => status)).toEqual([201])
    expect(await total()).toBe(before + 1)
  })
})

// Parsing takes little time, however long and repetitive the input is.
import { describe, expect, it } from 'vitest'
import { shareHttp } from '../../support/http/http-service.js'
import { openSocket, readAll, responsesIn } from '../../support/http/raw.js'
import { authorization } from '../../support/http/raw-requests.js'
import { expectLinear } from '../../support/processes/cpu-time.js'

const shared = shareHttp()

const LENGTH = 12_000

/** Per parser: the start of the header, as far as its parsing gets, and the unit that makes it look ahead or back the most. */
const HEADERS: readonly (readonly [start: string, ...units: string[]])[] = [
  ['Content-Type: application/json', ' ', ';a="\\"', '; '],
  ['Content-Encoding: identity', ', ', ' '],
  ['Idempotency-Key: "', '\\"', ' '],
  ['Authorization: Bearer ', ' ', 'a '],
  ['If-None-Match: ', 'W/"a",', '"', ', '],
  ['Prefer: ', ';a="', ', ', ' '],
  ['X-Request-Id: ', 'a', ' '],
  ['traceparent: 00-', '00-', '-'],
  ['Host: ', 'xn--a.', '[', '%2C'],
  ['Origin: ', 'a.', '\u00e9'],
  ['Expect: ', ', ', ' '],
  ['Transfer-Encoding: ', ', ', '\t'],
  ['Content-Length: ', '0', ' '],
  ['Connection: ', ',"a"', ', '],
  ['Accept: ', 'a/b;q="\\"', ';a="', ', ', ' '],
  ['Accept-Encoding: ', ';a=b ', ', ', ';'],
  ['Access-Control-Request-Method: ', 'a '],
  ['Forwarded: ', ';a="', ', '],
  ['X-Forwarded-Proto: ', ', '],
]

const QUERIES = ['limit=0', 'status=%2C', 'id=&id=', 'id=1&', 'cursor=.', 'a&', '=', '%00'] as const

/** Sends a request; it must get a response, with any status. */
const send = async (text: string): Promise<void> => {
  const socket = await openSocket(shared().port)
  socket.write(text, 'latin1')
  expect(responsesIn(await readAll(socket)).length).toBeGreaterThan(0)
}

/** Sends a request with the unit repeated up to a tenth of the length, then up to the whole length. */
const expectCheap = (unit: string, requestOf: (repeated: string) => string): Promise<void> =>
  expectLinear(LENGTH, (length) => send(requestOf(unit.repeat(Math.floor(length / unit.length)))), JSON.stringify(unit))

describe('12 kB of repeating units', () => {
  it.each(HEADERS)('in the header %s', async (prefix, ...units) => {
    const name = prefix.split(':', 1)[0]
    const lines = [
      'Host: a',
      `Authorization: Bearer ${shared().key}`,
      'Content-Type: application/json',
      'Content-Length: 2',
    ]
    const others = lines.filter((line) => !line.startsWith(`${name}:`))
    const head = [`POST ${prefix.startsWith('Acc') ? '/docs' : '/v1/pets'} HTTP/1.1`, 'Connection: close', ...others]
    const get = head.join('\r\n').replace('POST', 'GET')
    for (const unit of units)
      for (const start of [head.join('\r\n'), get])
        await expectCheap(unit, (repeated) => `${start}\r\n${prefix}${repeated}x\r\n\r\n{}`)
  })

  /** A request without its length. */
  const linesOf = (line: string, more = ''): string =>
    `${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${authorization(shared().key)}${more}`

  it.each(QUERIES)('in the query: %j', (unit) =>
    expectCheap(unit, (repeated) => `${linesOf(`GET /v1/pets?${repeated}x`)}\r\n`),
  )

  it.each(['%2F', '.', '-', '/'])('in the path: %s', (unit) =>
    expectCheap(unit, (repeated) => `${linesOf(`GET /v1/pets/${repeated}`)}\r\n`),
  )

  it.each(['{"a":', '[', '{"a":1},', '"', ' ', '9', '1e', '\\u0000', '-'])('in the body: %s', (unit) => {
    const head = linesOf('POST /v1/pets', 'Content-Type: application/json\r\n')
    return expectCheap(unit, (body) => `${head}Content-Length: ${body.length}\r\n\r\n${body}`)
  })
})

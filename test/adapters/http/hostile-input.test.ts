// Parsing takes little time, however long and repetitive the input is.
import { describe, expect, it } from 'vitest'
import { shareHttp } from '../../support/http/http-service.js'
import { answersIn, openSocket, readAll } from '../../support/http/raw.js'
import { expectLinear } from '../../support/processes/cpu-time.js'

const shared = shareHttp()

const LENGTH = 12_000

const UNITS = [
  '; ',
  ';',
  ';a=',
  ';a=b ',
  ';a="',
  ', ',
  ',"a"',
  'W/"a",',
  '"',
  '\\"',
  '\t',
  ' ',
  '=',
  'a',
  'a ',
  '-',
  '0',
  '00-',
  '%',
  '%2C',
  '%00',
  '.',
  'a.',
  'xn--a.',
  ':',
  '[',
  '/',
  '&',
  'a&',
  '*',
  '\u00e9',
]

/** Prefixes of the repeated units, so that parsing gets as far as possible. */
const HEADERS = [
  'Content-Type: application/json',
  'Content-Type: application/json; charset=',
  'Content-Encoding: identity',
  'Idempotency-Key: "',
  'Idempotency-Key: ',
  'Authorization: Bearer ',
  'Authorization: ',
  'If-None-Match: ',
  'Prefer: count=',
  'Prefer: ',
  'X-Request-Id: ',
  'traceparent: 00-',
  'Host: ',
  'Origin: ',
  'Expect: ',
  'Transfer-Encoding: ',
  'Content-Length: ',
  'Connection: ',
  'Accept-Encoding: ',
  'Access-Control-Request-Method: ',
  'Forwarded: ',
  'X-Forwarded-Proto: ',
] as const

const PARAMETERS = ['limit=', 'status=', 'id=', 'id=1&', 'cursor=', '', '&', 'http://'] as const

/** Sends a request; it must get a response, with any status. */
const send = async (text: string): Promise<void> => {
  const socket = await openSocket(shared().port)
  socket.end(text, 'latin1')
  expect(answersIn(await readAll(socket)).length).toBeGreaterThan(0)
}

/** Sends a request with the unit repeated up to a tenth of the length, then up to the whole length. */
const expectCheap = (unit: string, requestOf: (repeated: string) => string): Promise<void> =>
  expectLinear(LENGTH, (length) => send(requestOf(unit.repeat(length / unit.length))), JSON.stringify(unit))

describe('12 kB of repeating units', () => {
  it.each(HEADERS)('in the header %s', async (prefix) => {
    const { key } = shared()
    const name = prefix.split(':', 1)[0]
    const lines = ['Host: a', `Authorization: Bearer ${key}`, 'Content-Type: application/json', 'Content-Length: 2']
    const others = lines.filter((line) => !line.startsWith(`${name}:`))
    for (const unit of UNITS) {
      for (const start of ['POST /v1/pets', prefix.startsWith('Accept') ? 'GET /docs' : 'GET /v1/pets']) {
        const head = [`${start} HTTP/1.1`, 'Connection: close', ...others].join('\r\n')
        await expectCheap(unit, (repeated) => `${head}\r\n${prefix}${repeated}x\r\n\r\n{}`)
      }
    }
  })

  it.each(PARAMETERS)('in the query, after %j', async (prefix) => {
    const { key } = shared()
    for (const unit of UNITS.filter((one) => !/[\s\u00e9]/.test(one))) {
      for (const path of ['/v1/pets', '/v1/store/orders']) {
        const lines = `Host: a\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n\r\n`
        await expectCheap(unit, (repeated) => `GET ${path}?${prefix}${repeated}x HTTP/1.1\r\n${lines}`)
      }
    }
  })

  it('in the path and the body', async () => {
    const { key } = shared()
    const common = `Host: a\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n`
    for (const unit of [...UNITS, '{"a":', '[', '{"a":1},', '1e', '9', '\\u0000']) {
      await expectCheap(unit, (repeated) => {
        const path = encodeURI(repeated.slice(0, repeated.length / 4)).slice(0, LENGTH)
        return `GET /v1/pets/${path} HTTP/1.1\r\n${common}\r\n`
      })
      await expectCheap(unit, (body) => {
        const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
        return `POST /v1/pets HTTP/1.1\r\n${common}${type}\r\n${body}`
      })
    }
  })
})

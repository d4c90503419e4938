// Parsing takes little time, however long and repetitive the input is.
import { describe, expect, it } from 'vitest'
import { shareHttp } from '../../support/http/http-service.js'
import { answersIn, openSocket, readAll } from '../../support/http/raw.js'

const shared = shareHttp()

const LENGTH = 12_000
/** Far more than the few milliseconds that such a request takes, far less than backtracking would take. */
const CPU_LIMIT_MS = 1_000

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

/** The CPU milliseconds of the whole service for a request. It must respond, with any status. */
const cost = async (text: string): Promise<number> => {
  const { port } = shared()
  const socket = await openSocket(port)
  const before = process.cpuUsage()
  socket.end(text, 'latin1')
  expect(answersIn(await readAll(socket)).length).toBeGreaterThan(0)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

const repeated = (unit: string): string => unit.repeat(LENGTH / unit.length)

describe('12 kB of repeating units', () => {
  it.each(HEADERS)('in the header %s', async (prefix) => {
    const { key } = shared()
    const name = prefix.split(':', 1)[0]
    const lines = ['Host: a', `Authorization: Bearer ${key}`, 'Content-Type: application/json', 'Content-Length: 2']
    const others = lines.filter((line) => !line.startsWith(`${name}:`))
    for (const unit of UNITS) {
      for (const start of ['POST /v1/pets', prefix.startsWith('Accept') ? 'GET /docs' : 'GET /v1/pets']) {
        const head = [`${start} HTTP/1.1`, 'Connection: close', ...others, `${prefix}${repeated(unit)}x`]
        expect(await cost(`${head.join('\r\n')}\r\n\r\n{}`), JSON.stringify(unit)).toBeLessThan(CPU_LIMIT_MS)
      }
    }
  })

  it.each(PARAMETERS)('in the query, after %j', async (prefix) => {
    const { key } = shared()
    for (const unit of UNITS.filter((one) => !/[\s\u00e9]/.test(one))) {
      for (const path of ['/v1/pets', '/v1/store/orders']) {
        const head = [`GET ${path}?${prefix}${repeated(unit)}x HTTP/1.1`, 'Host: a', 'Connection: close']
        const text = `${head.join('\r\n')}\r\nAuthorization: Bearer ${key}\r\n\r\n`
        expect(await cost(text), JSON.stringify(unit)).toBeLessThan(CPU_LIMIT_MS)
      }
    }
  })

  it('in the path and the body', async () => {
    const { key } = shared()
    const common = `Host: a\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n`
    for (const unit of [...UNITS, '{"a":', '[', '{"a":1},', '1e', '9', '\\u0000']) {
      const path = encodeURI(repeated(unit).slice(0, 3_000)).slice(0, LENGTH)
      expect(await cost(`GET /v1/pets/${path} HTTP/1.1\r\n${common}\r\n`)).toBeLessThan(CPU_LIMIT_MS)
      const body = repeated(unit)
      const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
      expect(await cost(`POST /v1/pets HTTP/1.1\r\n${common}${type}\r\n${body}`)).toBeLessThan(CPU_LIMIT_MS)
    }
  })
})

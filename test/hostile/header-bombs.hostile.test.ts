// Headers and queries that are expensive to parse: each gets its status at once.
import { expect } from 'vitest'
import { answersIn, readAll } from '../support/http/raw.js'
import { authorization, BODY, get, postHead } from '../support/http/raw-requests.js'
import { type Attack, describeAttacks } from './attack.js'
import type { Target } from './target.js'

/** Below the 16 KiB that a request line and headers may have. */
const BYTES = 12_000
const COPIES = 4

const repeated = (unit: string): string => unit.repeat(Math.ceil(BYTES / unit.length)).slice(0, BYTES)

/** Sends the text on a few connections at once; each gets one response with the status. */
const expectEach = async ({ open }: Target, text: string, status: number): Promise<void> => {
  const answers = await Promise.all(
    Array.from({ length: COPIES }, async () => {
      const socket = await open()
      const all = readAll(socket)
      socket.write(text, 'latin1')
      return answersIn(await all).map((answer) => answer.status)
    }),
  )
  expect(answers).toEqual(Array.from({ length: COPIES }, () => [status]))
}

const CLOSE = 'Connection: close\r\n'

const header = (name: string, value: string, status: number): Attack => ({
  attack: `a ${name} of ${BYTES} bytes, ${JSON.stringify(value.slice(0, 16))}…`,
  holds: `it gets ${status}`,
  run: (target) => {
    const key = name === 'Authorization' ? '' : authorization(target.key)
    return expectEach(target, get('/v1/pets', `${CLOSE}${key}${name}: ${value}\r\n`), status)
  },
})

const query = (text: string, status: number): Attack => ({
  attack: `a query of ${BYTES} bytes, ${JSON.stringify(text.slice(0, 16))}…`,
  holds: `it gets ${status}`,
  run: (target) => expectEach(target, get(`/v1/pets?${text}`, CLOSE + authorization(target.key)), status),
})

/** A create with this Content-Type instead of a valid one. */
const contentType = (name: string, value: string): Attack => ({
  attack: `a Content-Type of ${name}`,
  holds: 'it gets 415',
  run: (target) => {
    const good = 'Content-Type: application/json\r\n'
    const text = postHead(target.key, BODY.length, CLOSE).replace(good, `Content-Type: ${value}\r\n`) + BODY
    return expectEach(target, text, 415)
  },
})

describeAttacks('header bombs', {}, [
  contentType('26 empty parameters and a stray letter', `application/json${'; '.repeat(26)}x`),
  contentType('12 kB of empty parameters and a stray letter', `application/json${repeated('; ')}x`),
  contentType('12 kB of charsets and a stray letter', `application/json${repeated(';charset=utf-8')} x`),
  contentType('12 kB of open quotes', `application/json;a="${repeated('a="')}`),
  header('Authorization', `Bearer ${repeated('x')}`, 401),
  header('Authorization', `Bearer${repeated(' ')}\xe4`, 401),
  header('Idempotency-Key', repeated('"\\'), 200),
  header('If-None-Match', repeated('W/"a", '), 200),
  header('Prefer', repeated('count= '), 200),
  header('Prefer', repeated('a="b;,'), 200),
  header('X-Request-Id', repeated('a-'), 200),
  header('traceparent', `00-${repeated('ab-')}`, 200),
  header('Origin', `https://${repeated('a.')}`, 200),
  header('Accept', repeated('*/*;q=0.1,'), 200),
  header('X-Forwarded-Proto', repeated('https,'), 200),
  header('Expect', repeated('100-continue,'), 417),
  query(repeated('&'), 200),
  query(repeated('a&'), 200),
  query(`limit=${repeated('1')}`, 400),
  query(repeated('limit=1&'), 400),
  query(`status=${repeated('%20')}`, 400),
  query(`id=${repeated('9')}`, 400),
  query(repeated('id=1&'), 400),
  query(`cursor=${repeated('A-')}`, 400),
  {
    attack: 'a Host of 12 kB',
    holds: 'it gets 400',
    run: (target) => expectEach(target, `GET / HTTP/1.1\r\nHost: ${repeated('a.')}:x\r\n\r\n`, 400),
  },
])

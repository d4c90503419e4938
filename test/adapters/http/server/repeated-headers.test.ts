// Headers that may be sent once are refused if they are sent on two lines.
import { describe, expect, it } from 'vitest'
import { shareHttp } from '../../../support/http/http-service.js'
import { sendRaw } from '../../../support/http/raw.js'

const shared = shareHttp()

describe('a credential', () => {
  it.each([
    ['the valid one first', (key: string) => `Authorization: Bearer ${key}\r\nAuthorization: Bearer x\r\n`],
    ['the valid one last', (key: string) => `Authorization: Bearer x\r\nauthorization: Bearer ${key}\r\n`],
    ['the same twice', (key: string) => `Authorization: Bearer ${key}\r\nAuthorization: Bearer ${key}\r\n`],
    ['an empty one first', (key: string) => `Authorization:\r\nAuthorization: Bearer ${key}\r\n`],
    ['two empty ones', () => 'Authorization:\r\nAuthorization:\r\n'],
  ])('is invalid in two headers: %s', async (_, lines) => {
    const head = `GET /v1/pets HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines(shared().key)}\r\n`
    expect(await sendRaw(shared().port, head)).toMatchObject([
      { status: 401, body: expect.stringContaining('"invalid_api_key"') },
    ])
  })
})

describe('an Idempotency-Key', () => {
  it('is refused if it is sent twice', async () => {
    const lines = `Authorization: Bearer ${shared().key}\r\nIdempotency-Key: k\r\nIdempotency-Key: k\r\nConnection: close\r\n`
    const answers = await sendRaw(shared().port, `POST /v1/pets HTTP/1.1\r\nHost: a\r\n${lines}\r\n`)
    const message = 'Idempotency-Key must be given once'
    expect(answers.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { code: 'invalid_parameter', message, status: 400 },
    ])
  })
})

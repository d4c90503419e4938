// Headers that may be sent once: refused if a client sends two lines, and sent on one line.
import { describe, expect, it } from 'vitest'
import { shareHttp } from '../../../support/http/http-service.js'
import { openSocket, readAll, sendRaw } from '../../../support/http/raw.js'

const shared = shareHttp()

describe('a credential', () => {
  it.each([
    ['the valid one first', (key: string) => `Authorization: Bearer ${key}\r\nAuthorization: Bearer x\r\n`],
    ['the valid one last', (key: string) => `Authorization: Bearer x\r\nauthorization: Bearer ${key}\r\n`],
    ['the same twice', (key: string) => `Authorization: Bearer ${key}\r\nAuthorization: Bearer ${key}\r\n`],
    ['an empty one first', (key: string) => `Authorization:\r\nAuthorization: Bearer ${key}\r\n`],
    ['two empty ones', () => 'Authorization:\r\nAuthorization:\r\n'],
  ])('is invalid in two headers: %s [401]', async (_, lines) => {
    const head = `GET /v1/pets HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines(shared().key)}\r\n`
    expect(await sendRaw(shared().port, head)).toMatchObject([
      { status: 401, body: expect.stringContaining('"invalid_api_key"') },
    ])
  })
})

describe('an Idempotency-Key', () => {
  it('is refused if it is sent twice [retries]', async () => {
    const lines = `Authorization: Bearer ${shared().key}\r\nIdempotency-Key: k\r\nIdempotency-Key: k\r\nConnection: close\r\n`
    const responses = await sendRaw(shared().port, `POST /v1/pets HTTP/1.1\r\nHost: a\r\n${lines}\r\n`)
    const message = 'Idempotency-Key must be given once'
    expect(responses.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { code: 'invalid_parameter', message, status: 400 },
    ])
  })
})

describe('a Link', () => {
  it.each([
    ['GET /v1/pets/7', 404, 'help, deprecation, successor-version'],
    ['GET /v1/pets/7 without a key', 401, 'help, deprecation, successor-version'],
    ['DELETE /v1/pets/7', 405, 'help, deprecation, successor-version'],
    ['OPTIONS /v1/pets/7', 204, 'deprecation, successor-version'],
    ['GET /nope', 404, 'help, service-doc'],
    ['GET /v1/pets?limit=1', 200, 'next'],
  ])('is one line with all relations: %s [help]', async (asked, status, relations) => {
    const { call, key, port } = shared()
    for (const name of ['a', 'b']) await call('POST', '/v1/pets', { body: `{"name":"${name}","categoryId":1}` })
    const [method, path, without] = asked.split(' ')
    const authorization = without === undefined ? `Authorization: Bearer ${key}\r\n` : ''
    const socket = await openSocket(port)
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${authorization}\r\n`)
    const text = await readAll(socket)
    const lines = [...text.matchAll(/^link: (.*)\r$/gim)].map(([, links = '']) =>
      [...links.matchAll(/rel="([\w-]+)"/g)].map(([, relation]) => relation).join(', '),
    )
    expect([text.slice('HTTP/1.1 '.length).slice(0, 3), lines]).toStrictEqual([String(status), [relations]])
  })
})

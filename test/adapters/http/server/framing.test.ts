// Request smuggling: ambiguous message lengths, invalid separators, and headers that must not be repeated.
import { describe, expect, it } from 'vitest'
import { createMany, shareHttp, startHttp } from '../../../support/http/http-service.js'
import { expectSoleRefusal, openSocket, readAll, sendRaw } from '../../../support/http/raw.js'
import { authorization, BODY, post as create, framedPost, get } from '../../../support/http/raw-requests.js'

const shared = shareHttp()

const CHUNKED_BODY = `1b\r\n${BODY}\r\n0\r\n\r\n`
const CHUNKED = 'Transfer-Encoding: chunked\r\n'

describe('the length of a message', () => {
  it.each<[string, string, string?]>([
    ['Content-Length before Transfer-Encoding', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', CHUNKED_BODY],
    ['Transfer-Encoding before Content-Length', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', CHUNKED_BODY],
    ['two lengths', 'Content-Length: 27\r\nContent-Length: 26\r\n'],
    ['a list of lengths', 'Content-Length: 27, 27\r\n'],
    ['a length with a plus', 'Content-Length: +27\r\n'],
    ['xchunked', 'Transfer-Encoding: xchunked\r\n', CHUNKED_BODY],
    ['gzip before chunked', 'Transfer-Encoding: gzip, chunked\r\n', CHUNKED_BODY],
    ['a size that is not a number', CHUNKED, `zz\r\n${BODY}\r\n0\r\n\r\n`],
    ['a chunk that is longer than its size', CHUNKED, `5\r\n${BODY}\r\n0\r\n\r\n`],
    ['bare line feeds', CHUNKED, `1b\n${BODY}\n0\n\n`],
    ['a trailer that is not a header', CHUNKED, `1b\r\n${BODY}\r\n0\r\nX Y\r\n\r\n`],
  ])('is refused if it is ambiguous or malformed: %s [rule-2]', async (_, lines, body = BODY) => {
    const { port, key, call } = shared()
    const before = (await call('GET', '/v1/pets')).text
    await expectSoleRefusal(port, framedPost(key, lines) + body)
    expect((await call('GET', '/v1/pets')).text).toBe(before)
  })

  it.each(['chunked', 'Chunked', '\tchunked '])('may come from chunks: %j', async (coding) => {
    const head = framedPost(shared().key, `Connection: close\r\nTransfer-Encoding: ${coding}\r\n`)
    const chunks = `3;ext=1\r\n${BODY.slice(0, 3)}\r\n18\r\n${BODY.slice(3)}\r\n0\r\nX: y\r\n\r\n`
    const [response] = await sendRaw(shared().port, head + chunks)
    expect(response?.status).toBe(201)
  })
})

describe('lines', () => {
  it.each<[string, string]>([
    ['a space before the colon', get('/v1/pets', 'X-A : b\r\n')],
    ['a folded line', get('/v1/pets', 'X-A: b\r\n c\r\n')],
    ['a bare line feed', get('/v1/pets', 'X-A: b\n')],
    ['a NUL in a value', get('/v1/pets', 'X-A: b\0c\r\n')],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a TLS ClientHello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ])('are refused if they are malformed: %s', async (_, text) => {
    await expectSoleRefusal(shared().port, text)
    expect((await shared().call('GET', '/v1/pets')).status).toBe(200)
  })

  it.each(['FOO', 'get', 'X-Y', 'GETT'])(
    'are answered by 405 if Node does not know the method %s [methods]',
    async (method) => {
      const text = get('/v1/pets').replace('GET', method)
      const refusal = await expectSoleRefusal(shared().port, `\r\n${text}`, 405, 'method_not_allowed')
      expect(refusal?.headers.get('Allow')).toBe('GET, HEAD, POST, OPTIONS')
      const behind = await sendRaw(shared().port, create(shared().key) + get('/nope') + text)
      expect(behind.map(({ status }) => status)).toEqual([201, 404, 405])
    },
  )
})

it.each([
  ['the valid one first', (key: string) => `Authorization: Bearer ${key}\r\nAuthorization: Bearer x\r\n`],
  ['the valid one last', (key: string) => `Authorization: Bearer x\r\nauthorization: Bearer ${key}\r\n`],
  ['an empty one first', (key: string) => `Authorization:\r\nAuthorization: Bearer ${key}\r\n`],
])('a credential is invalid in two headers: %s [401]', async (_, lines) => {
  expect(await sendRaw(shared().port, get('/v1/pets', `Connection: close\r\n${lines(shared().key)}`))).toMatchObject([
    { status: 401, body: expect.stringContaining('"invalid_api_key"') },
  ])
})

it('an Idempotency-Key is refused if it is sent twice [retries]', async () => {
  const { key, port } = shared()
  const responses = await sendRaw(port, framedPost(key, `${'Idempotency-Key: k\r\n'.repeat(2)}Connection: close\r\n`))
  expect(responses.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    { code: 'invalid_parameter', message: 'Idempotency-Key must be given once', status: 400 },
  ])
})

it.each([
  ['GET /v1/pets/7', 404, 'help, deprecation, successor-version'],
  ['GET /v1/pets/7 without a key', 401, 'help, deprecation, successor-version'],
  ['DELETE /v1/pets/7', 405, 'help, deprecation, successor-version'],
  ['OPTIONS /v1/pets/7', 204, 'deprecation, successor-version'],
  ['GET /nope', 404, 'help, service-doc'],
  ['GET /v1/pets?limit=1', 200, 'next'],
])('a Link is one line with all relations: %s [help]', async (asked, status, relations) => {
  const service = await startHttp()
  await createMany(service, 2)
  const [method, path = '', without] = asked.split(' ')
  const key = without === undefined ? authorization(service.key) : ''
  const socket = await openSocket(service.port)
  socket.write(get(path, `Connection: close\r\n${key}`).replace('GET', method ?? ''))
  const text = await readAll(socket)
  const lines = [...text.matchAll(/^link: (.*)\r$/gim)].map(([, links = '']) =>
    [...links.matchAll(/rel="([\w-]+)"/g)].map(([, relation]) => relation).join(', '),
  )
  expect([text.slice('HTTP/1.1 '.length).slice(0, 3), lines]).toStrictEqual([String(status), [relations]])
})

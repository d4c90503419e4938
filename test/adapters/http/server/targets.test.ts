// Request targets, Host, versions and expectations (RFC 9112, RFC 9110).
import { describe, expect, it } from 'vitest'
import { createMany, shareHttp, startHttp } from '../../../support/http/http-service.js'
import { expectSoleRefusal, openSocket, readAll, readUntil, responsesIn, sendRaw } from '../../../support/http/raw.js'
import { authorization, BODY } from '../../../support/http/raw-requests.js'

const shared = shareHttp()

const key = (): string => authorization(shared().key)
const get = (target: string, host = 'Host: a\r\n', version = '1.1'): string =>
  `GET ${target} HTTP/${version}\r\n${host}${key()}Connection: close\r\n\r\n`
const post = (lines: string, version = '1.1'): string =>
  `POST /v1/pets HTTP/${version}\r\nHost: a.example:81\r\nContent-Type: application/json\r\nConnection: close\r\n${lines}\r\n`

describe('a Host header', () => {
  it.each<[string, string]>([
    ['none', ''],
    ['two', 'Host: a\r\nHost: a\r\n'],
    ['an empty header', 'Host:\r\n'],
    ['a list', 'Host: a, b\r\n'],
    ...['[::1:]', '::1', 'user@pets.example', 'pets.example/path', 'pets.example:65536', 'a%zz', 'a"><script>'].map(
      (host): [string, string] => [host, `Host: ${host}\r\n`],
    ),
    ['one that is too long', `Host: ${'x.'.repeat(127)}:65535\r\n`],
  ])('is refused if it does not name one host, whenever it comes: %s', async (_, host) => {
    for (const path of ['/v1/pets', '/v1/pets', '/v1/pets/1']) await expectSoleRefusal(shared().port, get(path, host))
  })

  it('is the host in its own replies only, although other clients have asked under another one [addresses]', async () => {
    const service = await startHttp()
    await createMany(service, 2)
    const ask = async (target: string, host: string) => {
      const text = get(target, `Host: ${host}\r\n`).replace(key(), authorization(service.key))
      const [response] = await sendRaw(service.port, text)
      return { tag: response?.headers.get('ETag'), text: `${response?.headers.get('Link')} ${response?.body}` }
    }
    for (const target of ['/v1/pets?limit=1', '/v1/pets/1', '/v1/events']) {
      const [first, other, again] = [
        await ask(target, 'a.example'),
        await ask(target, 'b.example'),
        await ask(target, 'a.example'),
      ]
      expect(first.text).toContain('http://a.example/v1')
      expect(other.text).toBe(first.text.replaceAll('a.example', 'b.example'))
      expect(again).toStrictEqual(first)
    }
  })

  it.each(['a_b', '[::1]:8080', 'pets.example:', `${'x.'.repeat(126)}x:65535`])('may be %s', async (host) => {
    const [response] = await sendRaw(shared().port, get('/v1/pets', `Host: ${host}\r\n`))
    expect(response?.status).toBe(200)
  })

  it.each([
    ['/v1/pets', 'a.example:81'],
    ['http://b.example:82/v1/pets', 'b.example:82'],
  ])(
    'is the host of links, unless the target is absolute, even if a proxy reports another one: %s [addresses]',
    async (target, host) => {
      const text = post(`${key()}X-Forwarded-Host: evil.example\r\nContent-Length: ${BODY.length}\r\n`)
      const [response] = await sendRaw(shared().port, text.replace('/v1/pets', target) + BODY)
      expect(response?.headers.get('Location')?.replace(/\d+$/, '')).toBe(`http://${host}/v1/pets/`)
    },
  )

  it('may be missing in HTTP/1.0, where the socket address replaces it', async () => {
    const lines = `Content-Type: application/json\r\n${key()}Content-Length: ${BODY.length}\r\n`
    const [response] = await sendRaw(shared().port, `POST /v1/pets HTTP/1.0\r\n${lines}\r\n${BODY}`)
    expect(response?.status).toBe(201)
    expect(response?.headers.get('Location')).toMatch(new RegExp(`^${shared().url}/v1/pets/\\d+$`))
    expect(response?.headers.get('Connection')).toBe('close')
  })
})

describe('a request target', () => {
  it.each(['http://[', 'ftp://a/v1/pets', '*', '/v1/pets#part', 'http://u:p@h/v1/pets'])(
    'is refused in any other form: %s',
    async (target) => {
      await expectSoleRefusal(shared().port, get(target))
    },
  )

  it.each(['http://b.example/v1/pets', 'HTTP://b.example:80/v1/pets', 'https://b.example/v1/pets?limit=1'])(
    'may be absolute: %s',
    async (target) => {
      expect((await sendRaw(shared().port, get(target)))[0]?.status).toBe(200)
    },
  )

  it.each(['/v1/pets/', '//v1/pets', '/v1/p%65ts', 'http://h/v1/x/../pets'])(
    'is not normalised: %s is not found',
    async (target) => {
      const [response] = await sendRaw(shared().port, get(target))
      expect(response).toMatchObject({ status: 404, body: expect.stringContaining('"route_not_found"') })
    },
  )

  it('may be * for OPTIONS on the whole server', async () => {
    const [response] = await sendRaw(shared().port, 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(response).toMatchObject({ status: 204, body: '' })
    expect(response?.headers.get('Allow')).toBe('GET, HEAD, POST, OPTIONS')
  })
})

describe('an expectation', () => {
  const expecting = `Expect: 100-continue\r\nContent-Length: ${BODY.length}\r\n`

  it.each(['100-continue', '100-continue, 100-Continue', '100-continue\r\nExpect: 100-continue'])(
    'of %s is met when the body is requested',
    async (text) => {
      const socket = await openSocket(shared().port)
      socket.write(post(`${key()}Expect: ${text}\r\nContent-Length: ${BODY.length}\r\n`))
      expect(await readUntil(socket, /\r\n\r\n$/)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
      socket.write(BODY)
      expect(responsesIn(await readAll(socket))).toMatchObject([{ status: 201 }])
    },
  )

  it.each<[string, () => string, number]>([
    ['there is no key', () => post(expecting), 401],
    ['the body is not JSON', () => post(`${expecting}${key()}`).replace('application/json', 'text/plain'), 415],
    ['the body is too large', () => post(`${key()}Expect: 100-continue\r\nContent-Length: 2000000\r\n`), 413],
  ])('is not met, and the connection is closed, if %s', async (_, text, status) => {
    const responses = await sendRaw(shared().port, text())
    expect(responses.map((response) => [response.status, response.headers.get('Connection')])).toEqual([
      [status, 'close'],
    ])
  })

  it.each(['tea', '100-continue, tea', '100-continue;x=y', '100-continue\r\nExpect: tea'])(
    'of %j is refused',
    async (text) => {
      for (const version of ['1.1', '1.0'])
        await expectSoleRefusal(
          shared().port,
          post(`${key()}Expect: ${text}\r\nContent-Length: 0\r\n`, version),
          417,
          'expectation_failed',
        )
    },
  )

  it('of an interim response is ignored in HTTP/1.0, which has none', async () => {
    const responses = await sendRaw(shared().port, post(`${expecting}${key()}`, '1.0') + BODY)
    expect(responses.map(({ status }) => status)).toEqual([201])
  })

  it('is refused with the headers of the route [deprecation]', async () => {
    const text = get('/v1/pets/1').replace('\r\n\r\n', '\r\nExpect: tea\r\n\r\n')
    const response = await expectSoleRefusal(shared().port, text, 417, 'expectation_failed')
    expect(response?.headers.get('Deprecation')).toBe('@1795219200')
  })

  it('is refused with a link below the public address', async () => {
    const { port } = await startHttp({ settings: { publicUrl: 'https://pets.example/shop/v1' } })
    const lines = 'Host: a\r\nExpect: tea\r\n'
    const [options, live] = [get('/v1/pets', lines).replace('GET', 'OPTIONS'), get('/health/live', lines)]
    for (const text of ['GET / HTTP/3\r\n\r\n', options, live, get('#')]) {
      const [response] = await sendRaw(port, text)
      expect(response?.headers.get('Link')).toMatch(/^<https:\/\/pets\.example\/shop\/docs\/errors#/)
    }
  })
})

it('a refused request is logged with its trace and its id, as any other', async () => {
  const { port, requestLines } = await startHttp()
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  await sendRaw(port, `GET / HTTP/1.1\r\nX-Request-Id: r1\r\ntraceparent: 00-${trace}-00f067aa0ba902b7-01\r\n\r\n`)
  expect(requestLines()).toMatchObject([{ status: 400, code: 'bad_request', requestId: 'r1', traceId: trace }])
})

it('a HEAD gets no body if it is refused', async () => {
  const socket = await openSocket(shared().port)
  socket.write('HEAD /v1/pets HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n')
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n.*\r\n\r\n$/s)
})

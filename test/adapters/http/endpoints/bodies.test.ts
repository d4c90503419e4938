import { describe, expect, it } from 'vitest'
import { type Reply, refusal } from '../../../support/http/client.js'
import { shareHttp, startHttp } from '../../../support/http/http-service.js'

const LIMIT = 4_096
const shared = shareHttp({ settings: { maxBodyBytes: LIMIT } })
const GOOD = '{"name":"a","categoryId":1}'

const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Promise<Reply> =>
  shared().call('POST', '/v1/pets', { body, headers })
const nested = (levels: number): string => `${'{"x":'.repeat(levels)}1${'}'.repeat(levels)}`
const around = (member: string): string => `{${member},"name":"a","categoryId":1}`
const malformed = (reason: string) => refusal(400, 'malformed_json', `the body is not acceptable JSON: ${reason}`)

describe('a body that is not JSON', () => {
  it.each([
    ['{"name":"a","categoryId":1,}', 'it is not well-formed at column 28'],
    ['{"name":"a","categoryId":NaN}', 'it is not well-formed at column 26'],
    ['{\n  "name": "a"\n  "categoryId": 1\n}', 'it is not well-formed at line 3, column 3'],
    ['{"name":"a","categoryId":1', 'it is not well-formed: it ends too early'],
    ['', 'it is empty'],
  ])('is refused: %j [body]', async (body, reason) => {
    expect(await send(body)).toMatchObject(malformed(reason))
  })

  it('is refused if it is missing', async () => {
    const headers = { 'Content-Type': 'application/json' }
    expect(await shared().call('POST', '/v1/pets', { headers })).toMatchObject(malformed('it is empty'))
  })
})

describe('ambiguous JSON', () => {
  it.each<[string, string]>([
    ['{"name":"a","categoryId":1,"name":"a"}', '"name"'],
    ['{"name":"a","\\u006eame":"a","categoryId":1}', '"name"'],
    [around('"x":[{"y":1},{"z":[],"z":[]}]'), '"z"'],
  ])('is refused for a duplicate name: %s [body]', async (body, name) => {
    expect(await send(body)).toMatchObject(malformed(`the name ${name} appears twice in one object`))
  })

  it.each<[string, readonly number[]]>([
    ['a lone continuation byte', [0x80]],
    ['a truncated character', [0xe2, 0x82]],
  ])('is refused for invalid UTF-8: %s [body]', async (_, bytes) => {
    const body = Uint8Array.from([...Buffer.from('{"categoryId":1,"name":"a'), ...bytes, ...Buffer.from('"}')])
    expect(await send(body)).toMatchObject(malformed('it is not valid UTF-8'))
  })

  it('is refused for a byte order mark [body]', async () => {
    expect(await send(`\ufeff${GOOD}`)).toMatchObject(malformed('it starts with a byte order mark'))
    for (const encoding of ['utf16le', 'latin1'] as const) {
      const body = Uint8Array.from(Buffer.from(`\ufeff${GOOD.replace('a', '\u00e4')}`, encoding))
      expect(await send(body)).toMatchObject({ json: { code: 'malformed_json' } })
    }
  })
})

describe('depth', () => {
  it('may be 64 levels, including the outermost [body]', async () => {
    expect((await send(around(`"x":${nested(63)}`))).status).toBe(201)
    expect((await send(around(`"x":${'['.repeat(63)}${']'.repeat(63)}`))).status).toBe(201)
    expect(await send('['.repeat(64) + ']'.repeat(64))).toMatchObject({ json: { code: 'validation_failed' } })
  })

  it.each([around(`"x":${nested(64)}`), '['.repeat(65) + ']'.repeat(65), '['.repeat(LIMIT), '[{"a":'.repeat(600)])(
    'may not be 65 (%#) [body]',
    async (body) => {
      expect(await send(body)).toMatchObject(malformed('it has more than 64 levels'))
    },
  )
})

describe('size', () => {
  const padded = (size: number): string => GOOD + ' '.repeat(size - GOOD.length)

  it('may be exactly the limit in bytes, not one byte more [body]', async () => {
    expect((await send(padded(LIMIT))).status).toBe(201)
    const tooLarge = refusal(413, 'payload_too_large', `the body must not exceed ${LIMIT} bytes`)
    for (const body of [padded(LIMIT + 1), around(`"x":"${'\u20ac'.repeat(LIMIT / 2)}"`)])
      expect(await send(body)).toMatchObject(tooLarge)
  })

  it('is 64 KiB unless configured [body]', async () => {
    const { call } = await startHttp()
    expect((await call('POST', '/v1/pets', { body: padded(2 ** 16) })).status).toBe(201)
    expect((await call('POST', '/v1/pets', { body: padded(2 ** 16 + 1) })).status).toBe(413)
  })
})

import { describe, expect, it } from 'vitest'
import { type Reply, refusal } from '../../../support/http/client.js'
import { shareHttp, startHttp } from '../../../support/http/http-service.js'

const LIMIT = 4_096
const shared = shareHttp({ settings: { maxBodyBytes: LIMIT } })
const GOOD = '{"name":"a","categoryId":1}'

const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Promise<Reply> =>
  shared().call('POST', '/v1/pets', { body, headers })
const around = (member: string): string => `{${member},"name":"a","categoryId":1}`
const malformed = (reason: string) => refusal(400, 'malformed_json', `the body is not acceptable JSON: ${reason}`)

// test/domain/json/parse-json.test.ts has more of each kind
it.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
  ['not JSON', '{"name":"a","categoryId":1,}', 'it is not well-formed at column 28'],
  ['empty', '', 'it is empty'],
  ['a duplicate name', around('"x":[{"y":1},{"z":[],"z":[]}]'), 'the name "z" appears twice in one object'],
  ['not UTF-8', Uint8Array.of(0x22, 0xe2, 0x82, 0x22), 'it is not valid UTF-8'],
  ['a byte order mark', `\ufeff${GOOD}`, 'it starts with a byte order mark'],
  ['too deep', '[{"a":'.repeat(600), 'it has more than 64 levels'],
])('a body is refused if it is no JSON, or ambiguous: %s [body]', async (_, body, reason) => {
  expect(await send(body)).toMatchObject(malformed(reason))
})

it('a body is refused if it is missing', async () => {
  const headers = { 'Content-Type': 'application/json' }
  expect(await shared().call('POST', '/v1/pets', { headers })).toMatchObject(malformed('it is empty'))
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

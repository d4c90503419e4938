// Compares all explanations of error codes: the table, openapi.yaml, docs/errors.md and the page at /docs/errors.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ERROR_CODES, ERROR_HELP } from '../src/adapters/http/error-codes.js'
import { schemas } from './support/documents/openapi-document.js'
import { shareHttp } from './support/http/http-service.js'

const text = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8')

/** Every `## status code` of the page, with the text below it. */
const documented = [...text.matchAll(/^## (\d{3}) (\w+)\n((?:(?!## ).*\n)*)/gm)].map(
  ([, status, code = '', words = '']) => ({
    status: Number(status),
    code,
    words: words.replaceAll('\n', ' '),
  }),
)
const withStatus = documented.map(({ status, code }) => `${status} ${code}`)

it('the codes and their statuses never change [codes compatible]', () => {
  expect(Object.entries(ERROR_HELP).map(([code, { status }]) => `${status} ${code}`)).toStrictEqual([
    '400 malformed_json',
    '400 validation_failed',
    '400 invalid_parameter',
    '400 invalid_cursor',
    '400 bad_request',
    '401 missing_api_key',
    '401 invalid_api_key',
    '403 insufficient_scope',
    '404 pet_not_found',
    '404 route_not_found',
    '405 method_not_allowed',
    '408 request_timeout',
    '410 operation_removed',
    '412 precondition_failed',
    '413 payload_too_large',
    '415 unsupported_media_type',
    '417 expectation_failed',
    '422 idempotency_key_reused',
    '429 rate_limited',
    '431 headers_too_large',
    '500 internal_error',
    '503 unavailable',
  ])
})

describe('docs/errors.md', () => {
  it('has exactly one heading for each code of the table, with its status', () => {
    expect(withStatus).toStrictEqual(ERROR_CODES.map((code) => `${ERROR_HELP[code].status} ${code}`))
  })

  it.each(documented)('has the text of the table for $code', ({ code, words }) => {
    const meaning = Object.entries(ERROR_HELP).find(([name]) => name === code)?.[1].meaning ?? ''
    expect(words.trim().slice(0, meaning.length - 1)).toBe(meaning.slice(0, -1))
  })
})

describe('openapi.yaml', () => {
  it('lists the codes of the table [codes]', () => {
    expect(schemas['Error']).toMatchObject({ properties: { code: { 'x-extensible-enum': ERROR_CODES } } })
  })
})

describe('the page at /docs/errors', () => {
  const service = shareHttp()
  const linkOf = ({ headers }: { readonly headers: Headers }) =>
    /<([^>]+)>; rel="help"/.exec(headers.get('Link') ?? '')?.[1]

  it('has an anchor for each code, which errors link to [help]', async () => {
    const { anonymous, url } = service()
    const { text: page } = await anonymous('GET', '/docs/errors')
    const anchors = [...page.matchAll(/ id="(\w+)"/g)].map(([, id]) => id)
    expect(anchors).toStrictEqual(ERROR_CODES)
    const link = new URL(linkOf(await anonymous('GET', '/v1/pets')) ?? '', `${url}/v1/pets`)
    expect([link.href, anchors.includes(link.hash.slice(1))]).toStrictEqual([
      `${url}/docs/errors#missing_api_key`,
      true,
    ])
  })

  it('is well-formed, and escapes text', async () => {
    const { text: page } = await service().anonymous('GET', '/docs/errors')
    expect(page).toContain('<code>Authorization: Bearer &lt;API_KEY&gt;</code>')
    expect(page).not.toContain('`')
    const open: string[] = []
    for (const [, close, name = ''] of page.matchAll(/<(\/?)([a-z]\w*)/g)) {
      if (['meta', 'link'].includes(name)) continue
      if (close === '') open.push(name)
      else expect(open.pop()).toBe(name)
    }
    expect(open).toStrictEqual([])
  })
})

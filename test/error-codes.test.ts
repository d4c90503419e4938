// Compares the explanations of error codes: table, openapi.yaml, docs/errors.md and its page (`npm run docs`).
import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { STATUS_OF } from '../src/adapters/http/failures.js'
import { shareHttp } from './support/http/http-service.js'

const text = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8')

/** Every `## status code` of docs/errors.md, with the text below it. */
const documented = [...text.matchAll(/^## (\d{3}) (\w+)\n((?:(?!## ).*\n)*)/gm)].map(
  ([, status, code = '', words = '']) => ({
    status: Number(status),
    code,
    words: words.split('\n\n', 1).join().trim().replaceAll('\n', ' ').replace(/:$/, '.'),
  }),
)
const ERROR_CODES = Object.keys(STATUS_OF)
const STATUSES = Object.entries(STATUS_OF).map(([code, status]) => `${status} ${code}`)

it('the codes and their statuses never change [codes compatible]', () => {
  expect(STATUSES).toStrictEqual([
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

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const markedUp = (words: string): string =>
  words.replace(/[&<>]/g, (character) => ESCAPES[character] ?? '').replace(/`([^`]+)`/g, '<code>$1</code>')

/** The page for browsers: the first paragraph of each section. Relative links work behind any path prefix. */
const page = (): string => `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Animal Store: errors</title>
    <link rel="stylesheet" href="errors.css">
    <link rel="icon" type="image/png" href="favicon-32x32.png">
  </head>
  <body>
    <main>
      <h1>Errors</h1>
      <p>
        Every error has the JSON body <code>{"code", "message", "status"}</code>. Decide by <code>code</code>; treat a code that you
        do not know by its status. A refused request stores nothing. <a href="../docs">The interface</a>
      </p>
${documented
  .map(
    ({ code, status, words }) => `      <section id="${code}">
        <h2><a href="#${code}">${code}</a> <small>${status} ${STATUS_CODES[status]}</small></h2>
        <p>${markedUp(words)}</p>
      </section>
`,
  )
  .join('')}    </main>
  </body>
</html>
`

describe('docs/errors.md', () => {
  it('has exactly one heading for each code of the table, with its status', () => {
    expect(documented.map(({ status, code }) => `${status} ${code}`)).toStrictEqual(STATUSES)
  })

  it('is what the page at /docs/errors says', async () => {
    await expect(page()).toMatchFileSnapshot(resolve('assets/docs/errors.html'))
  })
})

describe('the page at /docs/errors', () => {
  const service = shareHttp()

  it('has an anchor for each code, which errors link to [help]', async () => {
    const { anonymous, url } = service()
    const { text: page } = await anonymous('GET', '/docs/errors')
    expect([...page.matchAll(/ id="(\w+)"/g)].map(([, id]) => id)).toStrictEqual(ERROR_CODES)
    const { headers } = await anonymous('GET', '/v1/pets')
    const [, link = ''] = /<([^>]+)>; rel="help"/.exec(headers.get('Link') ?? '') ?? []
    expect(new URL(link, `${url}/v1/pets`).href).toBe(`${url}/docs/errors#missing_api_key`)
  })
})

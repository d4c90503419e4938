// GET /: people who open the bare address see the documentation; programs get the 404 of any unknown path.
import { expect, it } from 'vitest'
import { refusal } from '../../support/http/client.js'
import { shareHttp, startHttp } from '../../support/http/http-service.js'
import { send } from '../../support/http/in-process.js'

const service = shareHttp()

/** As Chromium, Firefox and Safari send it for a page. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const NOT_FOUND = refusal(404, 'route_not_found', 'no such path; the documentation is at /docs')

it.each([BROWSER, 'text/html', 'text/html, */*;q=0.01', 'application/json;q=0.9, Text/HTML', 'text/html;q=0.2, a/b'])(
  'leads a browser to the documentation: %s [front-page]',
  async (accept) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, text } = await service().anonymous(method, '/', { headers: { Accept: accept } })
      expect([status, text]).toStrictEqual([303, ''])
      // relative, so that it holds under any path prefix and behind TLS
      expect([headers.get('Location'), headers.get('Vary')]).toStrictEqual(['docs', 'Accept'])
      expect(headers.get('Cache-Control')).toBe('no-store')
    }
  },
)

it.each([
  undefined,
  '*/*',
  'text/*',
  'application/json',
  'text/html, */*',
  'text/html;q=0.9, application/*',
  'text/html, application/json',
  'text/html, application/problem+json',
  'text/html;q=0',
  'text/html;q=2',
])('is not found for any other client: %s [front-page]', async (accept) => {
  const headers = accept === undefined ? {} : { Accept: accept }
  expect(await service().anonymous('GET', '/', { headers })).toMatchObject(NOT_FOUND)
})

it('leads nowhere by another method or from another path [front-page]', async () => {
  const headers = { Accept: BROWSER }
  for (const [method, path] of [
    ['POST', '/'],
    ['OPTIONS', '/'],
    ['GET', '/v1'],
    ['GET', '/v1/'],
  ] as const)
    expect(await service().anonymous(method, path, { headers })).toMatchObject(NOT_FOUND)
})

it('is not found where the documentation is not served [front-page]', async () => {
  const { url } = await startHttp({ settings: { documentation: undefined } })
  const reply = await send(new URL('/', url), { headers: { Accept: BROWSER } })
  expect([reply.status, await reply.json()]).toMatchObject([404, { code: 'route_not_found', message: 'no such path' }])
})

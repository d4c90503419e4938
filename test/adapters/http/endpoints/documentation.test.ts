import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Call } from '../../../support/http/client.js'
import { shareHttp, startHttp } from '../../../support/http/http-service.js'

const service = shareHttp()

it.each([
  ['openapi', { openapi: '3.0.3', info: { version: '1.0.0' } }],
  ['asyncapi', { asyncapi: '3.1.0', info: { version: '1.0.0' } }],
])(
  'the description %s is served unchanged and as equivalent JSON, without a key [versioning]',
  async (name, versions) => {
    const [yaml, json] = [
      await service().anonymous('GET', `/${name}.yaml`),
      await service().anonymous('GET', `/${name}.json`),
    ]
    expect([yaml.status, yaml.headers.get('Content-Type')]).toEqual([200, 'application/yaml'])
    expect(yaml.text).toBe(await readFile(`${name}.yaml`, 'utf8'))
    expect([json.status, json.headers.get('Content-Type')]).toEqual([200, 'application/json'])
    expect(JSON.parse(json.text)).toStrictEqual(parse(yaml.text))
    expect(JSON.parse(json.text)).toMatchObject(versions)
  },
)

describe('the server of the description', () => {
  const PUBLIC_URL = 'https://pets.example/shop/v1'
  const serversOf = async (call: Call): Promise<readonly unknown[]> => {
    const { text: yaml } = await call('GET', '/openapi.yaml')
    const { text: json } = await call('GET', '/openapi.json')
    return [parse(yaml), JSON.parse(json)].flatMap(({ servers }) => servers as unknown)
  }

  it('is relative to the document, so that it holds under any path prefix', async () => {
    const [one, other] = await serversOf(service().anonymous)
    expect(one).toStrictEqual(other)
    expect(one).toMatchObject({ url: 'v1' })
    expect(new URL('v1', 'https://pets.example/shop/openapi.json').href).toBe(PUBLIC_URL)
  })

  it('is the public address if that is known', async () => {
    const { anonymous } = await startHttp({ settings: { publicUrl: PUBLIC_URL } })
    expect(await serversOf(anonymous)).toMatchObject([{ url: PUBLIC_URL }, { url: PUBLIC_URL }])
    const { headers } = await anonymous('GET', '/v1/pets')
    expect(headers.get('Link')).toBe('<https://pets.example/shop/docs/errors#missing_api_key>; rel="help"')
  })
})

it.each([
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/init.js', 'text/javascript; charset=utf-8'],
  ['/docs/events.js', 'text/javascript; charset=utf-8'],
  ['/docs/swagger-ui-bundle.js.LICENSE.txt', 'text/plain; charset=utf-8'],
  ['/docs/errors', 'text/html; charset=utf-8'],
  ['/docs/errors.css', 'text/css; charset=utf-8'],
  ['/docs/index.css', 'text/css; charset=utf-8'],
  ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
  ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['/docs/favicon-32x32.png', 'image/png'],
])(
  'the page %s is served without a key, under a policy that allows nothing from another host [open-paths headers]',
  async (path, type) => {
    const { status, headers, text } = await service().anonymous('GET', path)
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toBe(type)
    expect(text.length).toBeGreaterThan(100)
    const directives = headers.get('Content-Security-Policy')?.split('; ') ?? []
    expect(directives[0]).toBe("default-src 'none'")
    expect(directives.filter((directive) => !/^[a-z-]+ '(?:none|self)'$/.test(directive))).toStrictEqual([
      "img-src 'self' data:",
    ])
  },
)

describe('the assets of the pages', () => {
  const linked = async (path: string): Promise<readonly string[]> => {
    const { headers, text } = await service().anonymous('GET', path)
    expect(headers.get('Cache-Control')).toBe('public, no-cache')
    // relative, so that they work under any path prefix
    return [...text.matchAll(/(?:src|href)="([^"/][^":]*\?v=[^"]+)"/g)].map(
      ([, address = '']) => new URL(address, `http://pets.test${path}`).pathname + new URL(address, 'http://x').search,
    )
  }

  it('are kept for good under the versions that the pages name', async () => {
    const assets = [...new Set([...(await linked('/docs')), ...(await linked('/docs/errors'))])]
    expect(assets).toHaveLength(7)
    for (const asset of assets) {
      const { status, headers } = await service().anonymous('GET', asset)
      expect([status, headers.get('Cache-Control')]).toStrictEqual([200, 'public, max-age=31536000, immutable'])
    }
  })

  it('are revalidated under another version, and so are the descriptions', async () => {
    for (const path of ['/docs/init.js', '/docs/init.js?v=older', '/openapi.json', '/asyncapi.yaml']) {
      const first = await service().anonymous('GET', path)
      const again = await service().anonymous('GET', path, {
        headers: { 'If-None-Match': first.headers.get('ETag') ?? '' },
      })
      for (const { headers } of [first, again]) expect(headers.get('Cache-Control')).toBe('public, no-cache')
      expect(again.status).toBe(304)
    }
  })
})

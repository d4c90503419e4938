// The API descriptions, the page that shows them (our files and Swagger UI's, nothing from other hosts), and the page
// of errors, to which the `Link` of each error leads. Each file is read once and shared by all responses.
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { HeaderFields } from '../messages/message.js'
import type { Documentation, PublicEndpoint } from '../route.js'
import { conditional, etagFrom } from './conditional.js'

/** The `v` of a file's address. It changes with the content, so the file may be cached forever. */
const versionOf = (bytes: Uint8Array): string => etagFrom(hash('sha256', bytes)).slice(1, -1)

const IMMUTABLE = 'public, max-age=31536000, immutable'
/** Also for the version of another release, which is requested during a rolling update. */
const REVALIDATED = 'public, no-cache'

/**
 * The endpoint of a file. If the query is `v=` and its version, the response may be cached forever. The first request
 * reads the file, so that startup does not wait for it.
 */
export const staticFile = (load: () => Promise<Uint8Array>, headers: HeaderFields): PublicEndpoint => {
  let loading: Promise<readonly [body: Uint8Array, version: string]> | undefined
  return async (request) => {
    // the next request retries after a failure, such as too many open files
    loading ??= load().then(
      (body) => [body, versionOf(body)] as const,
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    const [body, version] = await loading
    const etag = `"${version}"`
    const cacheControl = request.query === `v=${version}` ? IMMUTABLE : REVALIDATED
    const fields: HeaderFields = [...headers, ['ETag', etag], ['Cache-Control', cacheControl]]
    return conditional(request, { etag, reply: { status: 200, headers: fields, body } })
  }
}

// resolved by package name, because bundling moves this file; on first use, so that a bundle without the package starts
const packageRoot = (): URL => new URL('./', import.meta.resolve('animal-store/package.json'))
const swaggerUi = (): URL => new URL('dist/swagger-ui/', packageRoot())

/** Lets /docs run only scripts of this service. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // the icons in swagger-ui.css
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = (load: () => Promise<Uint8Array>, contentType: string): PublicEndpoint =>
  staticFile(load, [
    ['Content-Type', contentType],
    ['Content-Security-Policy', PAGE_POLICY],
  ])

const from = (base: () => URL, file: string) => async () => readFile(new URL(file, base()))
const ours = (): URL => new URL('assets/docs/', packageRoot())

type Files = ReturnType<Documentation>

/** The relative server address in openapi.yaml, or in the JSON made from it. */
const RELATIVE_SERVER = /(?<=\n {2}- url: )v1(?=\n)|(?<="servers":\[\{"url":)"v1"/

/**
 * One of our descriptions, as JSON and YAML. The build makes the JSON, because parsing the YAML would block other
 * requests for 100 ms. A public URL replaces the relative one, for tools that store the document elsewhere.
 */
const descriptions = (name: 'openapi' | 'asyncapi', publicUrl?: string): Files => {
  const load = (file: string) => async (): Promise<Uint8Array> => {
    const bytes = await from(packageRoot, file)()
    return publicUrl === undefined
      ? bytes
      : Buffer.from(String(bytes).replace(RELATIVE_SERVER, () => JSON.stringify(publicUrl)))
  }
  return [
    [`/${name}.json`, staticFile(load(`dist/${name}.json`), [['Content-Type', 'application/json']])],
    [`/${name}.yaml`, staticFile(load(`${name}.yaml`), [['Content-Type', 'application/yaml']])],
  ]
}

const HTML = 'text/html; charset=utf-8'
const CSS = 'text/css; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'

const ASSETS: readonly (readonly [name: string, contentType: string, base: () => URL])[] = [
  ['init.js', JAVASCRIPT, ours],
  ['events.js', JAVASCRIPT, ours],
  ['index.css', CSS, ours],
  ['errors.css', CSS, ours],
  ['swagger-ui.css', CSS, swaggerUi],
  ['swagger-ui-bundle.js', JAVASCRIPT, swaggerUi],
  // to which the first line of the bundle refers
  ['swagger-ui-bundle.js.LICENSE.txt', 'text/plain; charset=utf-8', swaggerUi],
  ['favicon-32x32.png', 'image/png', swaggerUi],
]

/** Adds versions to a page's links to assets, so that browsers cache these. */
const versioned = (load: () => Promise<Uint8Array>) => async (): Promise<Uint8Array> => {
  let html = String(await load())
  for (const [name, , base] of ASSETS) {
    if (!html.includes(`${name}"`)) continue
    html = html.replace(`${name}"`, `${name}?v=${versionOf(await from(base, name)())}"`)
  }
  return Buffer.from(html)
}

/**
 * The API descriptions, the page that shows them and the page of errors, for the setting `documentation`. Files are
 * read from the package on first request. No part of a path is used as a file name.
 */
export const documentation: Documentation = (publicUrl) => [
  ...descriptions('openapi', publicUrl),
  ...descriptions('asyncapi'),
  ['/docs', page(versioned(from(ours, 'index.html')), HTML)],
  ['/docs/errors', page(versioned(from(ours, 'errors.html')), HTML)],
  ...ASSETS.map(([name, contentType, base]) => [`/docs/${name}`, page(from(base, name), contentType)] as const),
]

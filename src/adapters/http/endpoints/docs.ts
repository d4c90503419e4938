// A page on which people read the interface and try it: Swagger UI's own files and ours, nothing from another host.
import { readFile } from 'node:fs/promises'
import type { Endpoint } from '../messages/reply.js'

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // the icons within swagger-ui.css
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const ours = new URL('../../../../assets/docs/', import.meta.url)
const swaggerUi = new URL('../', import.meta.resolve('swagger-ui-dist/package.json'))

const served =
  (file: URL, contentType: string): Endpoint =>
  async () => ({
    status: 200,
    headers: [
      ['Content-Type', contentType],
      ['Content-Security-Policy', CONTENT_SECURITY_POLICY],
    ],
    body: await readFile(file),
  })

const CSS = 'text/css; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'

/** What answers each path of the page. There is no other file to ask for: no part of a path ever names one. */
export const docs: Readonly<Record<string, Endpoint>> = {
  '/docs': served(new URL('index.html', ours), 'text/html; charset=utf-8'),
  '/docs/init.js': served(new URL('init.js', ours), JAVASCRIPT),
  '/docs/index.css': served(new URL('index.css', swaggerUi), CSS),
  '/docs/swagger-ui.css': served(new URL('swagger-ui.css', swaggerUi), CSS),
  '/docs/swagger-ui-bundle.js': served(new URL('swagger-ui-bundle.js', swaggerUi), JAVASCRIPT),
  '/docs/favicon-32x32.png': served(new URL('favicon-32x32.png', swaggerUi), 'image/png'),
}

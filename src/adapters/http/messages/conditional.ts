// Conditional reads (RFC 9110 §13): a strong ETag, and 304 for a client that already has the response.
import { hash } from 'node:crypto'
import { fieldOf } from './headers.js'
import type { HeaderFields, Reply } from './reply.js'
import type { HttpRequest } from './request.js'

/** Characters of the tag: 162 bits of the hash, enough to distinguish all responses. */
const TAG_LENGTH = 27

/** The strong ETag of a content (RFC 9110 §8.8.3). */
export const etagFrom = (content: string | Uint8Array): string =>
  `"${hash('sha256', content, 'base64url').slice(0, TAG_LENGTH)}"`

// the headers that describe the page are part of the cached response
const etagOf = ({ body = '', headers }: Reply): string =>
  etagFrom(`${String(body)}\n${fieldOf(headers, 'Link') ?? ''}\n${fieldOf(headers, 'X-Total-Count') ?? ''}`)

/** Whether If-None-Match names the tag, by weak comparison (RFC 9110 §13.1.2). */
export const isKnownTag = (request: Pick<HttpRequest, 'header'>, etag: string): boolean =>
  request.header('if-none-match').some((line) => {
    const tags = line.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
    return tags.includes(etag) || line.trim() === '*'
  })

/** Only the client's own cache may store the reply, and must revalidate it each time. */
const PRIVATE = ['Cache-Control', 'private, no-cache'] as const

/** The reply with its ETag, or 304 without a body. */
export const conditional = (request: Pick<HttpRequest, 'header'>, reply: Reply): Reply => {
  const etag = etagOf(reply)
  const headers: HeaderFields = [...reply.headers, ['ETag', etag], PRIVATE]
  return isKnownTag(request, etag)
    ? { status: 304, headers: headers.filter(([name]) => name !== 'Content-Type') }
    : { status: reply.status, headers, body: reply.body }
}

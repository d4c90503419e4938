// Conditional reads (RFC 9110 §13): a strong ETag, 304 for a client that has the response, 412 for one that wants another.
import * as E from 'fp-ts/lib/Either.js'
import type { Crypto } from '../../../ports/crypto.js'
import type { HttpFailure } from '../failures.js'
import { fieldOf, type HeaderFields, type HttpRequest, type Reply } from './message.js'

type Sha256 = Crypto['sha256']

/** Hexadecimal digits of the tag: 160 bits of the hash, enough to distinguish all responses. */
const TAG_LENGTH = 40

/** The strong ETag (RFC 9110 §8.8.3) of content with this SHA-256 in hexadecimal. */
export const etagFrom = (hash: string): string => `"${hash.slice(0, TAG_LENGTH)}"`

// the headers that describe the page are part of the cached response
const etagOf = ({ body = '', headers }: Reply, sha256: Sha256): string =>
  etagFrom(sha256(`${String(body)}\n${fieldOf(headers, 'Link') ?? ''}\n${fieldOf(headers, 'X-Total-Count') ?? ''}`))

/** Whether a field names the tag; undefined without the field. All its lines are one list (RFC 9110 §5.3). */
const names = (lines: readonly string[], isSame: (tag: string) => boolean): boolean | undefined => {
  if (lines.length === 0) return undefined
  const list = lines.join(',')
  return list.trim() === '*' || list.split(',').some((tag) => isSame(tag.trim()))
}

/**
 * What a conditional read of the representation with this tag gets (RFC 9110 §13.2.2): If-Match compares strongly, so that a weak tag
 * never matches, and comes before If-None-Match, which compares weakly.
 */
export const conditionOf = (
  { header }: Pick<HttpRequest, 'header'>,
  etag: string,
): 'failed' | 'not modified' | 'whole' => {
  if (names(header('if-match'), (tag) => tag === etag) === false) return 'failed'
  const isKnown = names(header('if-none-match'), (tag) => tag.replace(/^W\//, '') === etag)
  return isKnown === true ? 'not modified' : 'whole'
}

export const PRECONDITION_FAILED: E.Either<HttpFailure, never> = E.left({ _tag: 'PreconditionFailed' })

/** Only the client's own cache may store the reply, and must revalidate it each time. */
const PRIVATE = ['Cache-Control', 'private, no-cache'] as const

/** The reply with its ETag, or 304 without a body, or 412. Call it last: a request that would fail anyway has no conditions. */
export const conditional = (
  request: Pick<HttpRequest, 'header'>,
  reply: Reply,
  sha256: Sha256,
): E.Either<HttpFailure, Reply> => {
  const etag = etagOf(reply, sha256)
  const condition = conditionOf(request, etag)
  if (condition === 'failed') return PRECONDITION_FAILED
  const headers: HeaderFields = [...reply.headers, ['ETag', etag], PRIVATE]
  return E.right(
    condition === 'not modified'
      ? { status: 304, headers: headers.filter(([name]) => name !== 'Content-Type') }
      : { status: reply.status, headers, body: reply.body },
  )
}

// The Idempotency-Key header: 1 to 255 visible characters, quoted or bare.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { HttpFailure } from '../http-failure.js'
import type { HttpRequest } from './request.js'

const BARE = /^[\x21-\x7e]{1,255}$/
const QUOTED = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

const invalid = (reason: string): E.Either<HttpFailure, never> =>
  E.left({ _tag: 'InvalidParameter', reason: `Idempotency-Key ${reason}` })

/** The key of the request. A quoted key (RFC 8941 §3.3.3) equals its bare form. */
export const idempotencyKeyOf = (request: Pick<HttpRequest, 'header'>): E.Either<HttpFailure, O.Option<string>> => {
  const [sent, ...more] = request.header('idempotency-key')
  if (sent === undefined) return E.right(O.none)
  if (more.length > 0) return invalid('must be given once')
  const key = QUOTED.exec(sent)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? sent
  const isWellFormed = BARE.test(key) && (key !== sent || !sent.startsWith('"'))
  return isWellFormed ? E.right(O.some(key)) : invalid('must have 1 to 255 visible characters, quoted or bare')
}

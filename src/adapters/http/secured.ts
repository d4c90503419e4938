// An endpoint behind an API key (RFC 6750): who calls is known before anything else of the request is looked at.
import * as E from 'fp-ts/lib/Either.js'
import type { Scope } from '../../domain/api-key.js'
import type { Authenticate, Caller } from '../../domain/authenticate.js'
import { errorReply } from './error-reply.js'
import type { HttpFailure } from './http-failure.js'
import { type Endpoint, type Reply, withKeyId } from './messages/reply.js'
import type { HttpRequest } from './messages/request.js'

export type SecuredEndpoint = (request: HttpRequest, caller: Caller) => Promise<Reply>

const BEARER = /^Bearer +(\S+)$/i

/** The text of the one key, or undefined where the header is there but is no such thing. */
const keyTextOf = (request: HttpRequest): E.Either<HttpFailure, string | undefined> => {
  const lines = request.header('authorization')
  if (lines.every((line) => line === '') && lines.length < 2) return E.left({ _tag: 'MissingApiKey' })
  return E.right(lines.length === 1 ? BEARER.exec(lines[0] ?? '')?.[1] : undefined)
}

/** The endpoint for callers whose key has the scope; the others are answered 401 or 403. */
export const secured =
  (authenticate: Authenticate) =>
  (scope: Scope, endpoint: SecuredEndpoint): Endpoint =>
  async (request) => {
    const keyText = keyTextOf(request)
    if (E.isLeft(keyText)) return errorReply(keyText.left, request.id)
    if (keyText.right === undefined) return errorReply({ _tag: 'InvalidApiKey' }, request.id)
    const verdict = await authenticate(keyText.right)()
    if (E.isLeft(verdict)) return errorReply(verdict.left, request.id)
    const caller = verdict.right
    const reply = caller.scopes.includes(scope)
      ? await endpoint(request, caller)
      : errorReply({ _tag: 'InsufficientScope', required: scope }, request.id)
    return withKeyId(reply, caller.keyId)
  }

// The API key of a request (RFC 6750 §2.1), and its caller.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { InvalidApiKey } from '../../../domain/errors.js'
import type { HttpFailure } from '../http-failure.js'
import type { HttpRequest } from '../messages/message.js'

const BEARER = /^Bearer +(\S+)$/i

const MALFORMED: InvalidApiKey = { _tag: 'InvalidApiKey', reason: 'malformed', keyId: O.none }

/** The text of the bearer credential. Anything else that is not empty is an invalid key. */
export const credentialsOf = (request: Pick<HttpRequest, 'header'>): E.Either<HttpFailure | InvalidApiKey, string> => {
  const lines = request.header('authorization')
  const [line = ''] = lines
  if (line === '' && lines.length < 2) return E.left({ _tag: 'MissingApiKey' })
  const keyText = lines.length === 1 ? BEARER.exec(line)?.[1] : undefined
  return keyText === undefined ? E.left(MALFORMED) : E.right(keyText)
}

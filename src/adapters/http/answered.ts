// Describes an answer to the observer.
import * as O from 'fp-ts/lib/Option.js'
import type { InvalidApiKey } from '../../domain/errors.js'
import type { HttpRequest, Reply } from './messages/message.js'
import { reportedMethod } from './messages/methods.js'
import type { RequestReport } from './observer.js'
import type { PathRoutes } from './path-routes.js'

/** An API key that was refused, and the address from which it came. */
export interface RefusedKey {
  readonly key: InvalidApiKey
  readonly clientAddress: string
}

interface Given {
  readonly reply: Reply
  /** The id of the caller's key. */
  readonly keyId: string | undefined
  readonly refused?: RefusedKey | undefined
}

/** The last argument is known only to the server. */
export const answeredOf = (
  { id, method, path }: Pick<HttpRequest, 'id' | 'method' | 'path'>,
  target: Pick<PathRoutes, 'path' | 'isProbe' | 'deprecation'> | undefined,
  { reply, keyId, refused }: Given,
  {
    bytes,
    events,
    milliseconds,
    clientAddress,
    traceId,
  }: Pick<RequestReport, 'bytes' | 'events' | 'milliseconds' | 'clientAddress' | 'traceId'>,
): RequestReport => ({
  requestId: id,
  method: reportedMethod(method),
  path,
  route: target?.path ?? 'unmatched',
  isProbe: target?.isProbe ?? false,
  isDeprecated: target?.deprecation !== undefined,
  status: reply.status,
  code: reply.code,
  detail: reply.detail,
  events,
  bytes,
  milliseconds,
  keyId,
  invalidKeyReason: refused?.key.reason,
  invalidKeyId: refused === undefined ? undefined : O.toUndefined(refused.key.keyId),
  // a handler without sockets may not know the peer
  clientAddress: clientAddress ?? (refused?.clientAddress || undefined),
  traceId,
})

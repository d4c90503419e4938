// Describes an answer to the observer.
import { reportedMethod } from './messages/methods.js'
import type { Reply } from './messages/reply.js'
import type { HttpRequest } from './messages/request.js'
import type { Answered } from './observer.js'
import type { PathRoutes } from './path-routes.js'

interface Given {
  readonly reply: Reply
  /** The id of the caller's key. */
  readonly keyId: string | undefined
}

/** The last argument is known only to the server. */
export const answeredOf = (
  { id, method, path }: Pick<HttpRequest, 'id' | 'method' | 'path'>,
  target: Pick<PathRoutes, 'path' | 'isProbe' | 'deprecation'> | undefined,
  { reply, keyId }: Given,
  {
    bytes,
    milliseconds,
    clientAddress,
    traceId,
  }: Pick<Answered, 'bytes' | 'milliseconds' | 'clientAddress' | 'traceId'>,
): Answered => ({
  requestId: id,
  method: reportedMethod(method),
  path,
  route: target?.path ?? 'unmatched',
  isProbe: target?.isProbe ?? false,
  isDeprecated: target?.deprecation !== undefined,
  status: reply.status,
  code: reply.code,
  remark: reply.remark,
  bytes,
  milliseconds,
  keyId,
  clientAddress,
  traceId,
})

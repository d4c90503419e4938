// Reports requests to the observer of the service.
import * as O from 'fp-ts/lib/Option.js'
import type { InvalidApiKey } from '../../domain/errors.js'
import type { RequestReport } from '../../ports/observer.js'
import type { HttpRequest, Reply } from './messages/message.js'
import { reportedMethod } from './messages/methods.js'
import type { PathRoutes } from './route.js'

type Rest = Pick<RequestReport, 'bytes' | 'milliseconds' | 'keyId' | 'clientAddress' | 'traceId'>

/** `target` is undefined without a route, `invalidKey` unless the API key is invalid. */
export const reportOf = (
  { id, method, path }: Pick<HttpRequest, 'id' | 'method' | 'path'>,
  target: Pick<PathRoutes, 'path' | 'isProbe' | 'deprecation'> | undefined,
  { status, code, detail, stream }: Reply,
  invalidKey: InvalidApiKey | undefined,
  { bytes, milliseconds, keyId, clientAddress, traceId }: Rest,
): RequestReport => ({
  requestId: id,
  method: reportedMethod(method),
  path,
  route: target?.path ?? 'unmatched',
  isProbe: target?.isProbe ?? false,
  isDeprecated: target?.deprecation !== undefined,
  status,
  code,
  detail,
  events: stream?.events(),
  bytes,
  milliseconds,
  keyId,
  invalidKeyReason: invalidKey?.reason,
  invalidKeyId: invalidKey && O.toUndefined(invalidKey.keyId),
  clientAddress,
  traceId,
})

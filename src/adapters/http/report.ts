// Reports of the HTTP adapter. They contain no header and no body, and a key only as its id, unless a client puts it into the path.
import * as O from 'fp-ts/lib/Option.js'
import type { InvalidApiKey } from '../../domain/errors.js'
import type { HttpRequest, Reply, ReplyDetail } from './messages/message.js'
import { reportedMethod } from './messages/methods.js'
import type { PathRoutes } from './route.js'

export interface RequestReport {
  readonly requestId: string
  /** `_OTHER` if it is not a standard one; empty if the request could not be parsed. */
  readonly method: string
  /** The path as it was sent: it may hold anything, a key sent by mistake too. */
  readonly path: string
  /** The template of the route, or `unmatched`. */
  readonly route: string
  /** Whether orchestrators send such a request every few seconds. */
  readonly isProbe: boolean
  /** Whether the route is deprecated. */
  readonly isDeprecated: boolean
  readonly status: number
  /** The code in the Error shape, if the reply has it. */
  readonly code: string | undefined
  readonly detail: ReplyDetail | undefined
  /** Events sent on a stream; undefined for all other responses. */
  readonly events?: number | undefined
  /** Bytes of the response's body. */
  readonly bytes: number
  /** Milliseconds from the headers of the request until the response is passed to the socket. Undefined if the headers were refused. */
  readonly milliseconds: number | undefined
  readonly keyId: string | undefined
  /** Why the API key is invalid, which the client does not learn. */
  readonly invalidKeyReason: InvalidApiKey['reason'] | undefined
  /** The id in an invalid API key: as the client wrote it, so it may belong to no key. */
  readonly invalidKeyId: string | undefined
  /** The address that a trusted proxy reports; if the API key is invalid, else that of the peer. */
  readonly clientAddress: string | undefined
  readonly traceId: string | undefined
}

export interface Observer {
  /** Streams of events that have begun or ended, and events sent on them. */
  readonly stream?: (change: { readonly open: number; readonly events: number }) => void
  readonly responded: (report: RequestReport) => void
  /** The cause of a 500 or 503, or of an error without a response. */
  readonly failed: (cause: unknown, requestId: string) => void
}

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

// Reports of the HTTP adapter. They contain no header and no body, and a key only as its id, unless a client puts it into the path.
import type { KeyRefusal } from '../../domain/errors.js'
import type { ReplyDetail } from './messages/message.js'

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
  /** The code in the Error shape, if the answer has it. */
  readonly code: string | undefined
  readonly detail: ReplyDetail | undefined
  /** Events sent on a stream; undefined for all other responses. */
  readonly events?: number | undefined
  /** Bytes of the response's body. */
  readonly bytes: number
  /** Milliseconds from the headers of the request until the response is passed to the socket. Undefined if the headers were refused. */
  readonly milliseconds: number | undefined
  readonly keyId: string | undefined
  /** Why the API key was refused, which the client is not told. */
  readonly invalidKeyReason: KeyRefusal | undefined
  /** The id in an API key that was refused: as the client wrote it, so it may belong to no key. */
  readonly invalidKeyId: string | undefined
  /** That which a trusted proxy reports; if the API key was refused, else that of the peer. */
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

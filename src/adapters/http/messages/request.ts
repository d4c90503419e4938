// A request as a plain value, and its body as a function.
import type { Either } from 'fp-ts/lib/Either.js'
import type { Defect, HttpFailure } from '../http-failure.js'

/** The body, within the limit, or why there is none. */
export type Body = Either<HttpFailure | Defect, Uint8Array>

export interface HttpRequest {
  readonly method: string
  /** The path as sent, or `*`. */
  readonly path: string
  /** The variable parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** The text after `?`, unparsed: parsing waits until the caller is known. */
  readonly query: string
  /** The value of each line of this header, in the order sent. The name is given in lower case. */
  readonly header: (name: string) => readonly string[]
  /** The public base address, with `/v1`. */
  readonly baseUrl: string
  /** For limits: what a trusted proxy says, else the address of the peer, which may be that of a proxy. */
  readonly clientAddress: string
  readonly id: string
  /** Whether the request expects nothing, or only to be told when to send its body. */
  readonly isExpectationMet: boolean
  /** Whether the service has more requests, or more unread responses, than it accepts. Ask again after a wait. */
  readonly isSurplus: () => boolean
  /** Reads the body: once, and only after all checks that do without it. Answers `100-continue`. */
  readonly body: () => Promise<Body>
}

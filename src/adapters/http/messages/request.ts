// A request as a plain value: all that an endpoint may know of it.
import type { Either } from 'fp-ts/lib/Either.js'
import type { HttpFailure } from '../http-failure.js'

export interface HttpRequest {
  readonly method: string
  /** The path as sent, or `*`. */
  readonly path: string
  /** The template of the route that was taken, `/v1/pets/{petId}`. */
  readonly route: string
  /** The variable parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** The text after `?`, not parsed: that waits until the caller is known. */
  readonly query: string
  /** The value of each line of this header, whose name is given in lower case, in the order sent. */
  readonly header: (name: string) => readonly string[]
  /** The whole body; read only when it is asked for, at most once. */
  readonly body: () => Promise<Either<HttpFailure, Uint8Array>>
  /** The public base address, with `/v1`. */
  readonly baseUrl: string
  readonly id: string
}

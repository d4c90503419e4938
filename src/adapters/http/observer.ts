// What the HTTP adapter tells about its work; it never holds a header, a key or a body.

export interface Answered {
  readonly requestId: string
  readonly method: string
  /** The template of the route, or `unmatched`. */
  readonly route: string
  readonly status: number
  /** Milliseconds from the request's headers to the answer handed to the socket. */
  readonly milliseconds: number
  readonly keyId: string | undefined
  readonly traceId: string | undefined
}

export interface Observer {
  readonly answered: (answer: Answered) => void
  /** The reason of an answer of 500 or 503, or of an error without any answer. */
  readonly failed: (cause: unknown, requestId: string) => void
}

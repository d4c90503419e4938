// A response as a plain value.

/** In the order in which they are sent. */
export type HeaderFields = readonly (readonly [name: string, value: string])[]

/** Facts that the status of a reply does not show: too many requests were in flight, or an earlier request had added the pet. */
export type ReplyDetail = 'shed' | 'replayed'

/** A body that is made while the client reads it. */
export interface ReplyStream {
  /** Each part is made when the one before it has been taken. */
  readonly parts: AsyncGenerator<Uint8Array, void>
  /** Ends the parts. Call it in any case, once no more is read. */
  readonly close: () => void
  /** Events sent so far, for the log. */
  readonly events: () => number
}

export interface Reply {
  readonly status: number
  readonly headers: HeaderFields
  /** Absent: the response has no body. */
  readonly body?: string | Uint8Array | undefined
  /** Instead of a body. */
  readonly stream?: ReplyStream | undefined
  /** The code of a body in the Error shape, for the log. */
  readonly code?: string | undefined
  /** For the metrics. */
  readonly detail?: ReplyDetail | undefined
}

export const jsonReply = (status: number, body: string, headers: HeaderFields = []): Reply => ({
  status,
  headers: [['Content-Type', 'application/json'], ...headers],
  body,
})

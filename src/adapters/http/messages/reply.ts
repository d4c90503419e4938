// A response as a plain value.

/** In the order in which they are sent. */
export type HeaderFields = readonly (readonly [name: string, value: string])[]

export interface Reply {
  readonly status: number
  readonly headers: HeaderFields
  /** Absent: the response has no body. */
  readonly body?: string | Uint8Array | undefined
}

export const jsonReply = (status: number, body: string, headers: HeaderFields = []): Reply => ({
  status,
  headers: [['Content-Type', 'application/json'], ...headers],
  body,
})

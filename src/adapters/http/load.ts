// What a service has under way, of all its connections together: the one measure of overload.

export interface Load {
  /** Requests without a reply yet; probes count for nothing. */
  requests: number
  /** Of responses that their clients do not read. */
  unreadBytes: number
}

export const NO_LOAD: Readonly<Load> = { requests: 0, unreadBytes: 0 }

/** Beyond it, requests are refused. */
const MAX_UNREAD_BYTES = 16_777_216

/** Whether the request that was counted last is too many. */
export const isFull = ({ requests, unreadBytes }: Load, maxInFlight: number): boolean =>
  requests > maxInFlight || unreadBytes > MAX_UNREAD_BYTES

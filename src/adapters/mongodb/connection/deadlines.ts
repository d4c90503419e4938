// How long a store waits before it gives up, in milliseconds. Parameters, because only their own tests may depend on a busy machine.
export interface Deadlines {
  /** A request runs at most four operations, and must end within 5 s. */
  readonly operationMs: number
  /** For an operation that starts before the database is open. */
  readonly openingMs: number
  /** For an exact count; the database, too, cancels it after this time. */
  readonly countMs: number
  /** Only these end commands that the database accepted but never replies to; the driver's `timeoutMS` does not. */
  readonly operationReplyMs: number
  readonly countReplyMs: number
  readonly connectMs: number
  /** For a server that accepts writes, or a free connection to it. */
  readonly serverMs: number
  /** At the end, for ids that were drawn and not used; a reader of the log closes the rest. */
  readonly closeUnusedMs: number
}

export const DEADLINES: Deadlines = {
  operationMs: 1_200,
  openingMs: 2_500,
  countMs: 3_500,
  operationReplyMs: 1_500,
  countReplyMs: 4_000,
  connectMs: 1_500,
  serverMs: 3_000,
  closeUnusedMs: 250,
}

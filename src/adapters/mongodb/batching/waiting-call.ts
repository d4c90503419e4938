// A call that waits to be sent in a batch.

export interface WaitingCall<A, B> {
  readonly item: A
  /** When the call arrived, in milliseconds on the monotonic clock. */
  readonly arrivedAt: number
  readonly resolve: (result: B) => void
  readonly reject: (cause: unknown) => void
}

/** Rejects the calls that have waited longer than the timeout, because their callers have given up; returns the others. */
export const rejectExpired = <A, B>(
  calls: readonly WaitingCall<A, B>[],
  timeoutMs: number,
): readonly WaitingCall<A, B>[] => {
  const oldest = performance.now() - timeoutMs
  return calls.filter(({ arrivedAt, reject }) => {
    if (arrivedAt < oldest) reject(new Error(`not sent within ${timeoutMs} ms`))
    return arrivedAt >= oldest
  })
}

// Repeats operations that a broken connection or a change of the primary has interrupted.
import { setTimeout as sleep } from 'node:timers/promises'
import { MongoNetworkError, MongoNetworkTimeoutError, MongoServerError } from 'mongodb'

/** Before an operation is repeated, because a network that is down fails immediately. */
const PAUSE_MS = 25

/** The server is shutting down or no longer the primary; another takes over (MongoDB specification "Retryable Reads"). */
const STEPPED_DOWN = new Set<unknown>([91, 189, 10_107, 11_600, 11_602, 13_435, 13_436])

/** Time limit for repeating one command of a longer task, from its first start. */
const REPEAT_STEP_MS = 10_000

const isTransient = (error: unknown): boolean =>
  (error instanceof MongoNetworkError && !(error instanceof MongoNetworkTimeoutError)) ||
  (error instanceof MongoServerError && STEPPED_DOWN.has(error.code))

/**
 * Repeats an operation after a network error or a step-down, while time is left. Does not repeat it after a timeout,
 * because that would add load to a slow database.
 */
export const repeatTransient = async <A>(operation: () => Promise<A>, timeoutMs: number): Promise<A> => {
  const end = performance.now() + timeoutMs - PAUSE_MS
  for (;;) {
    try {
      return await operation()
    } catch (error) {
      if (!isTransient(error) || performance.now() >= end) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** Runs one command of a longer task, and repeats it after a transient error. It must be safe to repeat. */
export const repeatStep = <A>(command: () => Promise<A>): Promise<A> => repeatTransient(command, REPEAT_STEP_MS)

// Ids that this process has drawn and will not use. Closing them at once spares readers of the log the wait.
import type { Task } from 'fp-ts/lib/Task.js'
import { batch } from '../batching/batch.js'
import { OPERATION_TIMEOUT_MS } from '../connection/connection.js'

/** Beyond it the oldest is forgotten; readers close it when their patience ends. */
const MAX_REMEMBERED = 10_000

export interface UnusedIds {
  readonly drawn: (id: bigint) => void
  /** Whether this process has drawn the id. From now on it counts as used. */
  readonly use: (id: bigint) => boolean
  /** Closes an id in the background. A failure is no loss: readers close it later. */
  readonly close: (id: bigint) => void
  /** Closes all ids that were drawn and not used. */
  readonly closeAll: Task<void>
}

export const makeUnusedIds = (insertVoids: (ids: readonly bigint[]) => Promise<void>): UnusedIds => {
  const unused = new Set<bigint>()
  const close = batch(
    async (ids: readonly bigint[]) => {
      await insertVoids(ids)
      return ids
    },
    { concurrency: 1, maxItems: 500, timeoutMs: OPERATION_TIMEOUT_MS },
  )
  return {
    drawn: (id) => {
      unused.add(id)
      const [oldest] = unused
      if (unused.size > MAX_REMEMBERED && oldest !== undefined) unused.delete(oldest)
    },
    use: (id) => unused.delete(id),
    close: (id) => {
      close(id).catch(() => {})
    },
    closeAll: async () => {
      const ids = [...unused]
      unused.clear()
      await insertVoids(ids)
    },
  }
}

// Ids from the counter, and those of them that this process has drawn and will not use.
import * as O from 'fp-ts/lib/Option.js'
import type { PetId } from '../../domain/pets/pet.js'
import { setBounded } from '../../domain/set-bounded.js'
import type { IdGenerator } from '../../ports/id-generator.js'
import { batch, type SharedLimit } from './batching/batch.js'
import type { StoreContext } from './connection/connection.js'
import type { IdCounter } from './id-counter.js'
import { insertVoids } from './log/gaps.js'

/** Maximum time that a create waits for the inserts of others; most take less. */
const PATIENCE_MS = 5

/** Ids that were drawn and not used. Beyond it the oldest is forgotten; readers close it when their patience ends. */
const MAX_REMEMBERED = 10_000

/** Closes unused ids at once, which spares readers of the log the wait for their patience. */
export const makeUnusedIds = ({ database, deadlines }: Pick<StoreContext, 'database' | 'deadlines'>) => {
  const unused = new Map<bigint, true>()
  const close = batch((ids: readonly bigint[]) => insertVoids(database, ids), {
    concurrency: 1,
    maxItems: 500,
    timeoutMs: deadlines.operationMs,
  })
  return {
    drawn: (id: bigint): void => setBounded(unused, MAX_REMEMBERED, id, true),
    /** Whether this process has drawn the id. From now on it counts as used. */
    use: (id: bigint): boolean => unused.delete(id),
    /** Closes an id in the background. A failure is no loss: readers close it later. */
    close: (id: bigint): void => {
      close(id).catch(() => {})
    },
    /** Closes all ids that were drawn and not used. */
    closeAll: async (): Promise<void> => {
      const ids = [...unused.keys()]
      unused.clear()
      await insertVoids(database, ids)
    },
  }
}

export type UnusedIds = ReturnType<typeof makeUnusedIds>

/** `inserts` of pets: while some are in flight, more creates gather, and 32 take a fifth less CPU each (measured). */
export const makeIdDrawing = (
  { observe, deadlines }: Pick<StoreContext, 'observe' | 'deadlines'>,
  { take }: Pick<IdCounter, 'take'>,
  inserts: SharedLimit,
): (() => Promise<PetId>) => {
  // one at a time: a caller that arrives during an allocation may have seen pets with greater ids than that allocation returns
  const next = batch(
    async (callers: readonly undefined[]) => {
      const ids = await take(callers.length)
      return callers.map((_, at) => O.fromNullable(ids[at]))
    },
    {
      concurrency: 1,
      patienceMs: PATIENCE_MS,
      limit: inserts,
      maxItems: 1_000,
      timeoutMs: deadlines.operationMs,
      observe: observe('ids.next'),
    },
  )

  return async () => {
    const id = await next(undefined)
    if (O.isNone(id)) throw new Error('there are no more ids')
    return id.value
  }
}

export const makeMongoIdGenerator = (
  { run, storage }: Pick<StoreContext, 'run' | 'storage'>,
  draw: () => Promise<PetId>,
  unusedIds: Pick<UnusedIds, 'drawn'>,
): IdGenerator => ({
  storage,
  next: run(async () => {
    const id = await draw()
    unusedIds.drawn(id)
    return id
  }),
})

// Collects items that the code under test sends, and lets the test reply to them.
import { type BatchSettings, batch } from '../../../../src/adapters/mongodb/batching/batch.js'

export interface Sent<A, B> {
  readonly item: A
  readonly resolve: (result: B) => void
  readonly reject: (cause: unknown) => void
}

/** Records an item, and resolves to the reply of the test. */
export const sentBy = <A, B>(sent: Sent<A, B>[], item: A): Promise<B> =>
  new Promise((resolve, reject) => {
    sent.push({ item, resolve, reject })
  })

/** A batched function of numbers, and the batches that it has sent. */
export const recordedBatch = (settings: Partial<BatchSettings>) => {
  const sent: Sent<readonly number[], readonly string[]>[] = []
  const defaults = { concurrency: 1, maxItems: 10, timeoutMs: 1_000 }
  const call = batch<number, string>((items) => sentBy(sent, items), { ...defaults, ...settings })
  return { call, sent, items: () => sent.map(({ item }) => item) }
}

/** Runs all queued microtasks. */
export const turn = () => new Promise((resolve) => setImmediate(resolve))

// Reports the sizes of batches under the name of a port's function.
import type { StoreObserver } from '../../../ports/store-observer.js'

/** Who receives the sizes of batches, if anyone does. */
export type BatchObserver = Pick<StoreObserver, 'batch'> | undefined

/** Undefined without an observer, so that nothing is called. */
export const observeCalls = (observer: BatchObserver, operation: string): ((calls: number) => void) | undefined =>
  observer && ((calls) => observer.batch(operation, calls))

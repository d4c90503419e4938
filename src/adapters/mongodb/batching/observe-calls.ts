// Reports the sizes of batches under the name of a port's function.
import type { StoreOperation } from '../../../ports/operation.js'
import type { StoreObserver } from '../../../ports/store-observer.js'

/** Who receives the sizes of batches, if anyone does. */
export type BatchObserver = Pick<StoreObserver, 'batch'> | undefined

/** Undefined without an observer, so that nothing is called. */
export const observeCalls = (
  observer: BatchObserver,
  operation: StoreOperation,
): ((calls: number) => void) | undefined => observer && ((calls) => observer.batch(operation, calls))

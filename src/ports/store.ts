import type { Task } from 'fp-ts/lib/Task.js'
import type { Ports } from './index.js'

/** The ports that share one place of storage, opened together and closed together. */
export interface Store extends Pick<Ports, 'pets' | 'ids' | 'apiKeys' | 'outbox'> {
  /** Ends the work under way and frees what is held; nothing is to be called afterwards. */
  readonly close: Task<void>
}

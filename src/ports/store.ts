import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../domain/errors.js'
import type { Ports } from './index.js'

/** The ports that share one place of storage, opened together and closed together. */
export interface Store extends Pick<Ports, 'pets' | 'ids' | 'apiKeys' | 'outbox'> {
  /** Whether the store answers at all, within seconds. */
  readonly ping: TaskEither<Unavailable, void>
  /** Ends the work under way and frees what is held; nothing is to be called afterwards. */
  readonly close: Task<void>
}

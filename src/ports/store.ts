import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../domain/errors.js'
import type { Ports } from './index.js'

/**
 * The store of a service: ports over one storage, opened and closed together. Without `log`: no `GET /events`. Without
 * `relay`: no publishing.
 */
export interface ServedStore extends Pick<Ports, 'pets' | 'ids' | 'apiKeys'>, Partial<Pick<Ports, 'log' | 'relay'>> {
  /** Whether the store responds; returns within seconds. */
  readonly ping: TaskEither<Unavailable, void>
  /** Completes work in progress and releases all resources. Do not use the store afterwards. */
  readonly close: Task<void>
}

/** A store whose events can be relayed. */
export interface Store extends ServedStore {
  readonly log: Ports['log']
  readonly relay: Ports['relay']
}

/** A store that outlives the process and can be exported to another one. */
export interface ArchivedStore extends Store, Pick<Ports, 'archive'> {}

type PortName = Exclude<keyof Store, 'ping' | 'close'>

/** The name of a function of a store, such as `pets.add`. */
export type StoreOperation =
  | { readonly [P in PortName]: `${P}.${Exclude<keyof Store[P], 'storage'> & string}` }[PortName]
  | 'ping'

/** Observes a call. It never changes the result. */
export type Instrument = <A>(call: TaskEither<Unavailable, A>) => TaskEither<Unavailable, A>

import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../domain/errors.js'
import type { Store } from './store.js'

type PortName = Exclude<keyof Store, 'ping' | 'close'>

/** The name of a function of a store, such as `pets.add`. */
export type StoreOperation =
  | { readonly [P in PortName]: `${P}.${Exclude<keyof Store[P], 'storage'> & string}` }[PortName]
  | 'ping'

/** Observes a call. It never changes the outcome. */
export type Around = <A>(call: TaskEither<Unavailable, A>) => TaskEither<Unavailable, A>

// Wraps a store once so that each call is observed, for metrics and traces.
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../domain/errors.js'
import type { Instrument, ServedStore, StoreOperation } from '../ports/store.js'

/** Written out, so that a new function of a port does not compile until it is observed. The last observer is the outermost one. */
export const instrumentStore = (
  store: ServedStore,
  observers: readonly ((operation: StoreOperation) => Instrument)[],
): ServedStore => {
  if (observers.length === 0) return store
  const { pets, ids, apiKeys, log, relay } = store
  const of = (operation: StoreOperation): Instrument =>
    observers.map((observer) => observer(operation)).reduce((inner, outer) => (call) => outer(inner(call)))
  const observed = <P extends readonly unknown[], A>(
    operation: StoreOperation,
    call: (...parameters: P) => TaskEither<Unavailable, A>,
  ) => {
    const instrument = of(operation)
    return (...parameters: P): TaskEither<Unavailable, A> => instrument(call(...parameters))
  }
  return {
    pets: {
      storage: pets.storage,
      add: observed('pets.add', pets.add),
      findByIdempotencyKey: observed('pets.findByIdempotencyKey', pets.findByIdempotencyKey),
      findById: observed('pets.findById', pets.findById),
      findPage: observed('pets.findPage', pets.findPage),
      count: observed('pets.count', pets.count),
    },
    ids: { storage: ids.storage, next: of('ids.next')(ids.next) },
    apiKeys: {
      add: observed('apiKeys.add', apiKeys.add),
      addFirst: observed('apiKeys.addFirst', apiKeys.addFirst),
      find: observed('apiKeys.find', apiKeys.find),
      list: of('apiKeys.list')(apiKeys.list),
      change: observed('apiKeys.change', apiKeys.change),
      removeEnded: observed('apiKeys.removeEnded', apiKeys.removeEnded),
    },
    log: { storage: log.storage, read: observed('log.read', log.read), head: of('log.head')(log.head) },
    ...(relay !== undefined && {
      relay: {
        storage: relay.storage,
        load: of('relay.load')(relay.load),
        save: observed('relay.save', relay.save),
      },
    }),
    ping: of('ping')(store.ping),
    close: () => store.close(),
  }
}

// Wraps a store once so that each call is observed, for metrics and traces.
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../domain/errors.js'
import type { Instrument, ServedStore, StoreOperation } from '../ports/store.js'

/** Lists every function, so a new one does not compile until it is observed. The last observer is the outermost. */
export const instrumentStore = (
  store: ServedStore,
  observers: readonly ((operation: StoreOperation) => Instrument)[],
): ServedStore => {
  if (observers.length === 0) return store
  const { pets, ids, apiKeys, log, relay } = store
  const of = (operation: StoreOperation): Instrument =>
    observers.map((observer) => observer(operation)).reduce((inner, outer) => (call) => outer(inner(call)))
  const each = <I extends readonly unknown[], A>(
    operation: StoreOperation,
    call: (...input: I) => TaskEither<Unavailable, A>,
  ) => {
    const observed = of(operation)
    return (...input: I) => observed(call(...input))
  }
  return {
    pets: {
      storage: pets.storage,
      add: each('pets.add', pets.add),
      findByIdempotencyKey: each('pets.findByIdempotencyKey', pets.findByIdempotencyKey),
      findById: each('pets.findById', pets.findById),
      findPage: each('pets.findPage', pets.findPage),
      count: each('pets.count', pets.count),
    },
    ids: { storage: ids.storage, next: of('ids.next')(ids.next) },
    apiKeys: {
      add: each('apiKeys.add', apiKeys.add),
      addFirst: each('apiKeys.addFirst', apiKeys.addFirst),
      find: each('apiKeys.find', apiKeys.find),
      list: of('apiKeys.list')(apiKeys.list),
      change: each('apiKeys.change', apiKeys.change),
      removeEnded: each('apiKeys.removeEnded', apiKeys.removeEnded),
    },
    ...(log !== undefined && {
      log: { storage: log.storage, read: each('log.read', log.read), head: of('log.head')(log.head) },
    }),
    ...(relay !== undefined && {
      relay: { storage: relay.storage, load: of('relay.load')(relay.load), save: each('relay.save', relay.save) },
    }),
    ping: of('ping')(store.ping),
    close: () => store.close(),
  }
}

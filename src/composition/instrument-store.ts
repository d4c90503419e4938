// Wraps a store once so that each call is observed, for metrics and traces.
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
  const [add, findByKey, findById] = [of('pets.add'), of('pets.findByIdempotencyKey'), of('pets.findById')]
  const [findPage, count] = [of('pets.findPage'), of('pets.count')]
  const [addKey, addFirstKey] = [of('apiKeys.add'), of('apiKeys.addFirst')]
  const [findKey, changeKey] = [of('apiKeys.find'), of('apiKeys.change')]
  const removeEndedKeys = of('apiKeys.removeEnded')
  const [read, save] = [of('log.read'), of('relay.save')]
  return {
    pets: {
      storage: pets.storage,
      add: (record) => add(pets.add(record)),
      findByIdempotencyKey: (key, at) => findByKey(pets.findByIdempotencyKey(key, at)),
      findById: (id) => findById(pets.findById(id)),
      findPage: (query) => findPage(pets.findPage(query)),
      count: (filter) => count(pets.count(filter)),
    },
    ids: { storage: ids.storage, next: of('ids.next')(() => ids.next()) },
    apiKeys: {
      add: (key) => addKey(apiKeys.add(key)),
      addFirst: (key) => addFirstKey(apiKeys.addFirst(key)),
      find: (id) => findKey(apiKeys.find(id)),
      list: of('apiKeys.list')(() => apiKeys.list()),
      change: (id, change) => changeKey(apiKeys.change(id, change)),
      removeEnded: (before) => removeEndedKeys(apiKeys.removeEnded(before)),
    },
    log: {
      storage: log.storage,
      read: (request) => read(log.read(request)),
      head: of('log.head')(() => log.head()),
    },
    ...(relay !== undefined && {
      relay: {
        storage: relay.storage,
        load: of('relay.load')(() => relay.load()),
        save: (record) => save(relay.save(record)),
      },
    }),
    ping: of('ping')(() => store.ping()),
    close: () => store.close(),
  }
}

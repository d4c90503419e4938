// Wraps a store so that every call is observed, for metrics and traces.
import type { Around, Store, StoreOperation } from '../ports/store.js'

/** Written out, so that a new function of a port does not compile until it is observed. */
export const aroundStore = (store: Store, around: (operation: StoreOperation) => Around): Store => {
  const { pets, ids, apiKeys, log, relay } = store
  const [add, findByKey, findById] = [around('pets.add'), around('pets.findByIdempotencyKey'), around('pets.findById')]
  const [findPage, count] = [around('pets.findPage'), around('pets.count')]
  const [addKey, addFirstKey] = [around('apiKeys.add'), around('apiKeys.addFirst')]
  const [findKey, changeKey] = [around('apiKeys.find'), around('apiKeys.change')]
  const [read, save] = [around('log.read'), around('relay.save')]
  return {
    pets: {
      storage: pets.storage,
      add: (record) => add(pets.add(record)),
      findByIdempotencyKey: (key, at) => findByKey(pets.findByIdempotencyKey(key, at)),
      findById: (id) => findById(pets.findById(id)),
      findPage: (query) => findPage(pets.findPage(query)),
      count: (filter) => count(pets.count(filter)),
    },
    ids: { storage: ids.storage, next: around('ids.next')(() => ids.next()) },
    apiKeys: {
      add: (key) => addKey(apiKeys.add(key)),
      addFirst: (key) => addFirstKey(apiKeys.addFirst(key)),
      find: (id) => findKey(apiKeys.find(id)),
      list: around('apiKeys.list')(() => apiKeys.list()),
      change: (id, change) => changeKey(apiKeys.change(id, change)),
    },
    log: {
      storage: log.storage,
      read: (request) => read(log.read(request)),
      head: around('log.head')(() => log.head()),
    },
    relay: {
      storage: relay.storage,
      load: around('relay.load')(() => relay.load()),
      save: (record) => save(relay.save(record)),
    },
    ping: around('ping')(() => store.ping()),
    close: () => store.close(),
  }
}

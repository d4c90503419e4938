// The entry point `animal-store/lmdb`: the embedded durable store in a folder; needs lmdb.
export { type LmdbStoreSettings, openLmdbStore } from '../adapters/lmdb/store.js'

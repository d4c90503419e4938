// The entry point `animal-store/sqlite`: the embedded durable store in one file; needs @photostructure/sqlite.
export { openSqliteStore, type SqliteStoreSettings } from '../adapters/sqlite/store.js'
